// The choice of theme.
import { useTheme, type Theme } from "~/hooks/use-theme.ts";

const labels: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function ThemeMenu() {
  const [theme, choose] = useTheme();
  return (
    <label className="flex items-center justify-between gap-2 px-2 py-1 text-xs text-muted">
      Theme
      <select
        value={theme}
        onChange={({ target }) => choose(target.value as Theme)} // the options below are all there are
        className="rounded border border-line bg-surface px-1 py-0.5 text-text"
      >
        {Object.entries(labels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
