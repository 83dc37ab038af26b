// What a search found, as a list one can walk through.
import type { SearchResults } from "~/processes/output/use-search.ts";
import { Button } from "~/ui/Button.tsx";
import { Failed } from "~/ui/States.tsx";
import { formatBytes, formatTime } from "~/util/format.ts";

export interface SearchPanelProps {
  readonly results: SearchResults;
  /** Which one is shown; its offset. */
  readonly current: number | undefined;
  readonly onJump: (offset: number) => void;
}

export function SearchPanel({ results, current, onJump }: SearchPanelProps) {
  const { matches, isSearching, hasMore, error, more } = results;
  return (
    <div className="border-b border-line bg-surface text-xs">
      <p aria-live="polite" className="px-3 py-1 text-muted">
        {summary(results)}
      </p>
      {error === null ? null : <Failed error={error} />}
      {matches.length === 0 ? null : (
        <ol aria-label="Matches" className="max-h-40 overflow-auto border-t border-line font-mono">
          {matches.map(({ matchOffset: offset, at, line }) => (
            <li key={offset}>
              <button
                type="button"
                ref={offset === current ? showIt : undefined}
                aria-current={offset === current ? "true" : undefined}
                title={formatTime(at)}
                onClick={() => onJump(offset)}
                className={`flex w-full gap-3 px-3 py-0.5 text-left hover:bg-sunken ${offset === current ? "bg-accent-soft" : ""}`}
              >
                <span className="w-24 shrink-0 text-right text-muted tabular-nums">{offset}</span>
                <span className="min-w-0 flex-1 truncate">{line}</span>
              </button>
            </li>
          ))}
          {hasMore ? (
            <li className="px-3 py-1">
              <Button disabled={isSearching} onClick={more}>
                Search on
              </Button>
            </li>
          ) : null}
        </ol>
      )}
    </div>
  );
}

function showIt(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function summary({ matches, isSearching, lookedAt, hasMore, error }: SearchResults): string {
  if (error !== null) return "The search did not work";
  const count = matches.length === 1 ? "1 line" : `${matches.length} lines`;
  if (isSearching) return `Searching the whole log… ${count} found up to ${formatBytes(lookedAt)}`;
  if (matches.length === 0) return "Nothing found in what is kept of the log";
  return hasMore ? `The first ${count} found; there are more` : `${count} found`;
}
