// Font size and screen-reader mode of all terminals of this browser.
import {
  changeSettings,
  leastFontSize,
  mostFontSize,
  terminalSettings,
} from "~/terminal/terminal-settings.ts";
import { Button } from "~/ui/Button.tsx";
import { useStore } from "~/util/store.ts";

export function SettingsMenu() {
  const { fontSize, screenReader } = useStore(terminalSettings);
  return (
    <div className="flex items-center gap-1 text-xs text-muted">
      <Button
        kind="ghost"
        aria-label="Smaller text"
        disabled={fontSize <= leastFontSize}
        onClick={() => changeSettings({ fontSize: fontSize - 1 })}
      >
        A−
      </Button>
      <span className="tabular-nums" aria-label="Font size">
        {fontSize}
      </span>
      <Button
        kind="ghost"
        aria-label="Larger text"
        disabled={fontSize >= mostFontSize}
        onClick={() => changeSettings({ fontSize: fontSize + 1 })}
      >
        A+
      </Button>
      <label className="flex items-center gap-1 whitespace-nowrap">
        <input
          type="checkbox"
          checked={screenReader}
          onChange={({ target }) => changeSettings({ screenReader: target.checked })}
        />
        Screen reader
      </label>
    </div>
  );
}
