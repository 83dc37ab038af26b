// What is watched for on a process, how often it came true, and where.
import { useState } from "react";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ListedProcess } from "#protocol/control.ts";
import type { WatchView } from "#protocol/watches.ts";
import { client } from "~/api/client.ts";
import { notices } from "~/api/notices.ts";
import { useNow } from "~/hooks/use-now.ts";
import { hasHits, watchText } from "~/processes/detail/watch-text.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Empty, Failed, Loading } from "~/ui/States.tsx";
import { formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";
import { useStore } from "~/util/store.ts";

const mostHits = 100;

/** How many notices of this process there are: a hit comes with one. */
function useNoticeCount(id: string): number {
  return useStore(notices)?.filter(({ processId }) => processId === id).length ?? 0;
}

export function WatchesTab({ process }: { process: ListedProcess }) {
  const heard = useNoticeCount(process.id);
  const watches = useQuery({
    queryKey: ["watches", process.id, heard, process.state],
    queryFn: ({ signal }) => client.watch.list({ id: process.id }, { signal }),
    placeholderData: (before) => before,
  });
  if (watches.error !== null) return <Failed error={watches.error} onRetry={() => void watches.refetch()} />;
  if (watches.data === undefined) return <Loading lines={3} label="Loading watches" />;
  if (watches.data.watches.length === 0) {
    return (
      <Empty title="Nothing is watched for">
        Add a watch: <code className="font-mono">holdfast watch add {process.id} --text READY</code>
      </Empty>
    );
  }
  return (
    <ul aria-label="Watches" className="divide-y divide-line p-3 md:p-4">
      {watches.data.watches.map((watch) => (
        <Watch key={watch.id} watch={watch} />
      ))}
    </ul>
  );
}

function Watch({ watch }: { watch: WatchView }) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow();
  const canOpen = hasHits(watch.spec) && watch.hits > 0;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          disabled={!canOpen}
          title={canOpen ? undefined : "There are no places in the output to show"}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-2 text-left"
        >
          <Chevron size={15} aria-hidden className={canOpen ? "text-muted" : "invisible"} />
          <span className="min-w-0 truncate">{watchText(watch.spec)}</span>
        </button>
        {watch.pushOff ? <Badge tone="warn">not pushed</Badge> : null}
        <Badge tone={watch.state === "active" ? "info" : "neutral"}>{watch.state}</Badge>
        <span className="text-xs text-muted tabular-nums">
          {watch.hits === 1 ? "1 hit" : `${watch.hits} hits`}
          {watch.lastHitAt === null ? null : (
            <time dateTime={watch.lastHitAt} title={formatTime(watch.lastHitAt)}>
              , {formatSince(watch.lastHitAt, now)}
            </time>
          )}
        </span>
      </div>
      {isOpen ? <Hits watch={watch} /> : null}
    </li>
  );
}

function Hits({ watch }: { watch: WatchView }) {
  const found = useQuery({
    queryKey: ["hits", watch.id, watch.hits],
    queryFn: ({ signal }) => client.watch.hits({ watch: watch.id, limit: mostHits }, { signal }),
    placeholderData: (before) => before,
  });
  if (found.error !== null) return <Failed error={found.error} />;
  if (found.data === undefined) return <Loading lines={2} label="Looking for the places" />;
  return (
    <div className="mt-1 ml-6 rounded border border-line bg-sunken text-xs">
      <ol aria-label="Hits" className="max-h-72 overflow-auto py-1 font-mono">
        {found.data.hits.map(({ offset, line }) => (
          <li key={offset}>
            <Link className="flex gap-3 px-2 py-0.5 hover:bg-line" to={path.output(watch.processId, offset)}>
              <span className="w-24 shrink-0 text-right text-muted tabular-nums">{offset}</span>
              <span className="min-w-0 flex-1 truncate">{line}</span>
            </Link>
          </li>
        ))}
      </ol>
      {found.data.next === null ? null : (
        <p className="border-t border-line px-2 py-1 text-muted">The first {mostHits}; there are more.</p>
      )}
      {found.data.gaps.length === 0 ? null : (
        <p className="border-t border-line px-2 py-1 text-muted">Some of the output is no longer kept.</p>
      )}
    </div>
  );
}
