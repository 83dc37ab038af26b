// Font size and screen-reader mode of all terminals of this browser.
import { AArrowDown, AArrowUp } from "lucide-react";
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
        icon={<AArrowDown size={16} aria-hidden />}
        disabled={fontSize <= leastFontSize}
        onClick={() => changeSettings({ fontSize: fontSize - 1 })}
      />
      <span className="tabular-nums" title="Font size">
        {fontSize}
      </span>
      <Button
        kind="ghost"
        aria-label="Larger text"
        icon={<AArrowUp size={16} aria-hidden />}
        disabled={fontSize >= mostFontSize}
        onClick={() => changeSettings({ fontSize: fontSize + 1 })}
      />
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
