// Processes that wait for somebody to type, each with what it asks and where to answer.
import { SquareTerminal } from "lucide-react";
import { Link } from "react-router";
import { useNow } from "~/hooks/use-now.ts";
import type { WaitingProcess } from "~/overview/waiting-input.ts";
import { titleOf } from "~/processes/process-text.ts";
import { Badge } from "~/ui/Badge.tsx";
import { formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

export function WaitingInput({ waiting }: { waiting: readonly WaitingProcess[] }) {
  const now = useNow();
  if (waiting.length === 0) return null;
  return (
    <ul aria-label="Waits for input" className="divide-y divide-line border-t border-line first:border-t-0">
      {waiting.map(({ process, since, isPassword, prompt }) => (
        <li key={process.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <Badge tone="warn">{isPassword ? "waits for a password" : "waits for input"}</Badge>
          <Link to={path.process(process.id)} className="min-w-0 truncate font-medium hover:underline">
            {titleOf(process)}
          </Link>
          <code className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{prompt}</code>
          <time dateTime={since} title={formatTime(since)} className="text-xs text-muted">
            {formatSince(since, now)}
          </time>
          <Link
            to={path.terminal(process.id)}
            className="inline-flex items-center gap-1 text-accent underline"
          >
            <SquareTerminal size={14} aria-hidden />
            Answer in a terminal
          </Link>
        </li>
      ))}
    </ul>
  );
}
