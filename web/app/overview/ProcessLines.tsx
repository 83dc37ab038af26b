// A short list of processes, each one line that leads to its page.
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import { useNow } from "~/hooks/use-now.ts";
import { Badge } from "~/ui/Badge.tsx";
import { exitText, toneOf } from "~/util/exit-text.ts";
import { formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

export function ProcessLines({ processes }: { processes: readonly ListedProcess[] }) {
  const now = useNow();
  return (
    <ul className="divide-y divide-line">
      {processes.map((process) => {
        const at = process.endedAt ?? process.startedAt ?? process.createdAt;
        return (
          <li key={process.id}>
            <Link
              to={path.process(process.id)}
              className="flex items-center gap-2 px-3 py-1.5 hover:bg-sunken"
            >
              <span className="flex max-w-[45%] shrink-0">
                <Badge tone={toneOf(process)} title={exitText(process)}>
                  {exitText(process)}
                </Badge>
              </span>
              <span className="min-w-0 flex-1 truncate font-mono text-xs">
                {process.name === null ? process.command : `${process.name}: ${process.command}`}
              </span>
              <time dateTime={at} title={formatTime(at)} className="shrink-0 text-xs text-muted">
                {formatSince(at, now)}
              </time>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
