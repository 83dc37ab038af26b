// The bar above a terminal: what it is, who types, what can be done.
import { Keyboard, KeyboardOff, Power, Search } from "lucide-react";
import type { ListedProcess } from "#protocol/control.ts";
import { useRoleReason } from "~/api/me.ts";
import { keyboardText, noTyping } from "~/terminal/keyboard-text.ts";
import { PaneBar, splitActions } from "~/terminal/PaneBar.tsx";
import type { TerminalSession, TerminalState } from "~/terminal/terminal-session.ts";
import { useEndTerminal } from "~/terminal/use-end-terminal.tsx";
import { Badge } from "~/ui/Badge.tsx";
import { Button } from "~/ui/Button.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";

const iconSize = 15;

interface TerminalBarProps {
  readonly session: TerminalSession;
  readonly state: TerminalState;
  readonly process: ListedProcess | undefined;
  readonly onSearch: () => void;
}

export function TerminalBar({ session, state, process, onSearch }: TerminalBarProps) {
  const refused = useRoleReason("operator");
  const over = noTyping(state, process);
  const { ask, question } = useEndTerminal(session.id);
  const typist = keyboardText(state, process);
  return (
    <>
      <PaneBar
        id={session.id}
        title={state.title === "" ? (process?.name ?? process?.command ?? session.id) : state.title}
        facts={
          <>
            {process?.state === "ended" ? <Badge tone={toneOf(process)}>{exitText(process)}</Badge> : null}
            <span className="shrink-0 tabular-nums" title="Columns and rows in force">
              {state.size === undefined ? "" : `${state.size.columns}×${state.size.rows}`}
            </span>
            <span aria-live="polite" className="min-w-0 truncate" title={typist}>
              {typist}
            </span>
          </>
        }
        actions={[
          {
            label: "Search",
            keys: "Ctrl+Shift+F",
            icon: <Search size={iconSize} aria-hidden />,
            onSelect: onSearch,
          },
          ...splitActions,
          {
            label: "End terminal",
            icon: <Power size={iconSize} aria-hidden />,
            disabledReason: over ?? refused,
            onSelect: ask,
          },
        ]}
      >
        <KeyboardButton session={session} disabledReason={over ?? refused} />
      </PaneBar>
      {question}
    </>
  );
}

interface KeyboardButtonProps {
  readonly session: TerminalSession;
  readonly disabledReason: string | undefined;
}

function KeyboardButton({ session, disabledReason }: KeyboardButtonProps) {
  const holds = session.hasKeyboard && disabledReason === undefined;
  const Icon = holds ? KeyboardOff : Keyboard;
  const label = holds ? "Release keyboard" : "Take keyboard";
  return (
    <Button
      kind={holds ? "ghost" : "plain"}
      title={label}
      disabledReason={disabledReason}
      onClick={() => (holds ? session.releaseKeyboard() : session.takeKeyboard())}
      icon={<Icon size={iconSize} aria-hidden />}
    >
      <span className="sr-only @xs:not-sr-only">{label}</span>
    </Button>
  );
}
