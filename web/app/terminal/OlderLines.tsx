// Leads from the oldest line a terminal has loaded to the same place in the whole log.
import { useNavigate } from "react-router";
import { client } from "~/api/client.ts";
import type { TerminalSession } from "~/terminal/terminal-session.ts";
import { showError } from "~/ui/toasts.tsx";
import { path } from "~/util/path.ts";

export function OlderLines({ session }: { session: TerminalSession }) {
  const navigate = useNavigate();
  const go = async (): Promise<void> => {
    const { id } = session;
    const { offset, line } = session.oldestLine;
    try {
      const before = { id, before: offset, tailLines: Math.max(1, line), limitBytes: 1 };
      const { from } = await client.process.output(before);
      await navigate(path.output(id, from));
    } catch (error) {
      showError("The log was not opened", error);
    }
  };
  return (
    <button
      type="button"
      onClick={() => void go()}
      className="absolute top-1 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line-strong bg-raised px-3 py-0.5 text-xs text-accent shadow hover:underline"
    >
      Older lines are in the log
    </button>
  );
}
