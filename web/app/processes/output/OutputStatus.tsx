// Where one is in the output, in numbers; for a very long one also a bar to go anywhere in it.
import type { ListedProcess } from "#protocol/control.ts";
import type { LogView } from "~/processes/output/use-log-view.ts";
import { formatBytes } from "~/util/format.ts";

export interface OutputStatusProps {
  readonly process: ListedProcess;
  readonly end: number;
  readonly view: LogView;
}

const steps = 1_000;

export function OutputStatus({ process, end, view }: OutputStatusProps) {
  const { layout, offset, isFollowing, jump } = view;
  const gaps = layout.spans.filter(({ kind }) => kind === "gap");
  const missing = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-4 border-t border-line bg-surface px-3 text-xs text-muted tabular-nums">
      <span>
        {isFollowing ? (process.state === "ended" ? "At the end" : "Following") : `At ${formatBytes(offset)}`}
      </span>
      <span>{formatBytes(end)} in all</span>
      {missing === 0 ? null : <span>{formatBytes(missing)} no longer kept</span>}
      {layout.isWindow ? (
        <label className="flex min-w-40 flex-1 items-center gap-2">
          <span className="sr-only">Position in the output</span>
          <input
            type="range"
            min={0}
            max={steps}
            value={Math.round((offset / Math.max(1, end)) * steps)}
            aria-valuetext={`${formatBytes(offset)} of ${formatBytes(end)}`}
            onChange={({ target }) => jump(Math.floor((Number(target.value) / steps) * end))}
            className="w-full"
          />
        </label>
      ) : null}
    </div>
  );
}
