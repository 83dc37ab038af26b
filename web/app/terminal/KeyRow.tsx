// Keys that a touch keyboard lacks.
import type { TerminalSession } from "~/terminal/terminal-session.ts";

const keys = [
  { label: "Esc", text: "\u001B" },
  { label: "Tab", text: "\t" },
  { label: "Ctrl C", text: "\u0003" },
  { label: "Ctrl D", text: "\u0004" },
  { label: "Ctrl Z", text: "\u001A" },
] as const;
const arrows = [
  { label: "←", letter: "D", name: "Left" },
  { label: "↑", letter: "A", name: "Up" },
  { label: "↓", letter: "B", name: "Down" },
  { label: "→", letter: "C", name: "Right" },
] as const;

export function KeyRow({ session }: { session: TerminalSession }) {
  const look = "h-9 min-w-9 rounded border border-line bg-surface px-2 text-xs";
  // A program in application mode reads arrows in another form.
  const arrowPrefix = (): string =>
    session.terminal.modes.applicationCursorKeysMode ? "\u001BO" : "\u001B[";
  return (
    <div
      role="toolbar"
      aria-label="Keys"
      className="hidden gap-1 overflow-x-auto border-t border-line bg-sunken p-1 pointer-coarse:flex"
    >
      {keys.map(({ label, text }) => (
        <button key={label} type="button" className={look} onClick={() => session.send(text)}>
          {label}
        </button>
      ))}
      {arrows.map(({ label, letter, name }) => (
        <button
          key={label}
          type="button"
          aria-label={name}
          className={look}
          onClick={() => session.send(arrowPrefix() + letter)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
