// The bar above a terminal. Titles come from the program: they are text, and cut.
import { Keyboard, KeyboardOff, Search, SplitSquareHorizontal, SplitSquareVertical, X } from "lucide-react";
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import { useRoleReason } from "~/api/me.ts";
import { closePane } from "~/terminal/layout-state.ts";
import { EndTerminal } from "~/terminal/EndTerminal.tsx";
import { changeLayout, layout } from "~/terminal/open-terminals.ts";
import { requestTerminal } from "~/terminal/NewTerminalDialog.tsx";
import type { TerminalSession, TerminalState } from "~/terminal/terminal-session.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Button } from "~/ui/Button.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";
import { path } from "~/util/path.ts";

interface PaneBarProps {
  readonly session: TerminalSession;
  readonly state: TerminalState;
  readonly process: ListedProcess | undefined;
  readonly onSearch: () => void;
}

/** Who types, as this viewer should hear it. */
export function keyboardText({ keyboard, you, viewers }: TerminalState): string {
  if (keyboard === null) return "Read-only";
  if (keyboard === you) return "You type";
  return `${viewers.find(({ id }) => id === keyboard)?.name ?? "Another viewer"} types`;
}

export function PaneBar({ session, state, process, onSearch }: PaneBarProps) {
  const title = state.title === "" ? (process?.name ?? process?.command ?? session.id) : state.title;
  const isEnded = process?.state === "ended";
  const refused = useRoleReason("operator");
  return (
    <div className="flex min-h-9 items-center gap-1 border-b border-line bg-surface px-2 text-xs">
      <Link
        to={path.process(session.id)}
        className="min-w-0 truncate font-medium hover:underline"
        title={title}
      >
        {title.slice(0, 120)}
      </Link>
      {process !== undefined && isEnded ? <Badge tone={toneOf(process)}>{exitText(process)}</Badge> : null}
      <span className="ml-auto shrink-0 text-muted tabular-nums" title="Columns and rows in force">
        {state.size === undefined ? "" : `${state.size.columns}×${state.size.rows}`}
      </span>
      <span aria-live="polite" className="hidden shrink-0 text-muted sm:inline">
        {isEnded ? "Read-only" : keyboardText(state)}
        {state.viewers.length > 1 ? ` · ${state.viewers.length} viewers` : ""}
      </span>
      {session.hasKeyboard && !isEnded ? (
        <Button
          kind="ghost"
          onClick={() => session.releaseKeyboard()}
          icon={<KeyboardOff size={15} aria-hidden />}
        >
          <span className="sr-only lg:not-sr-only">Release keyboard</span>
        </Button>
      ) : (
        <Button
          kind="plain"
          disabledReason={isEnded ? "The process has ended" : refused}
          onClick={() => session.takeKeyboard()}
          icon={<Keyboard size={15} aria-hidden />}
        >
          Take keyboard
        </Button>
      )}
      <Button
        kind="ghost"
        aria-label="Search"
        title="Search (Ctrl+Shift+F)"
        onClick={onSearch}
        icon={<Search size={15} aria-hidden />}
      />
      <Button
        kind="ghost"
        className="hidden md:inline-flex"
        aria-label="Split right"
        title="Split right"
        onClick={() => requestTerminal({ split: "row" })}
        icon={<SplitSquareHorizontal size={15} aria-hidden />}
      />
      <Button
        kind="ghost"
        className="hidden md:inline-flex"
        aria-label="Split below"
        title="Split below"
        onClick={() => requestTerminal({ split: "column" })}
        icon={<SplitSquareVertical size={15} aria-hidden />}
      />
      <EndTerminal id={session.id} disabledReason={isEnded ? "It has ended" : refused} />
      <Button
        kind="ghost"
        aria-label="Close view"
        title="Close the view; the process goes on"
        onClick={() => changeLayout(closePane(layout.get(), session.id))}
        icon={<X size={15} aria-hidden />}
      />
    </div>
  );
}
