// One process in a tab: a terminal if it has one, else its output.
import { processes } from "~/api/processes.ts";
import { useDetail } from "~/processes/detail/use-detail.ts";
import { hasSession } from "~/terminal/open-terminals.ts";
import { OutputPane } from "~/terminal/OutputPane.tsx";
import { TerminalPane, type TerminalPaneProps } from "~/terminal/TerminalPane.tsx";
import { Loading } from "~/ui/States.tsx";
import { useStore } from "~/util/store.ts";

export function Pane(props: TerminalPaneProps) {
  const { id, isShown } = props;
  const listed = useStore(processes);
  const known = listed?.get(id);
  // A screen that is here stays, also when the process was removed.
  const isTerminal = hasSession(id) || known?.mode === "pty";
  const detail = useDetail(id, known, listed !== undefined && !isTerminal);
  // The list may not go back so far.
  const process = known ?? (detail.error === null ? detail.data : undefined);
  // Why there is nothing to be seen is said by the view.
  const isRefused = process === undefined && detail.error !== null;
  if (isTerminal || isRefused || process?.mode === "pty") return <TerminalPane {...props} />;
  if (process !== undefined) return <OutputPane process={process} detail={detail.data} isShown={isShown} />;
  return (
    <div className="min-w-0 flex-1 bg-surface">
      <Loading lines={6} label="Loading the process" />
    </div>
  );
}
