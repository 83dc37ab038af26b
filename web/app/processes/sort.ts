// In which order processes are shown; carried by the address too.
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessUsage } from "#protocol/usage.ts";

export const sortKeys = ["state", "process", "owner", "since", "cpu", "memory", "rate"] as const;
export type SortKey = (typeof sortKeys)[number];

export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** What has not ended first, then the newest. */
export const usualSort: Sort = { key: "state", isDescending: false };

/** These are looked at from the top: the first click puts the largest, or newest, there. */
const largestFirst: ReadonlySet<SortKey> = new Set(["since", "cpu", "memory", "rate"]);
/** These change with every sample. */
const liveKeys: ReadonlySet<SortKey> = new Set(["cpu", "memory", "rate"]);

export function isLive({ key }: Sort): boolean {
  return liveKeys.has(key);
}

export function readSort(search: URLSearchParams): Sort {
  const text = search.get("sort") ?? "";
  const isDescending = text.startsWith("-");
  const key = sortKeys.find((known) => known === (isDescending ? text.slice(1) : text));
  return key === undefined ? usualSort : { key, isDescending };
}

export function writeSort(search: URLSearchParams, { key, isDescending }: Sort): URLSearchParams {
  const next = new URLSearchParams(search);
  if (key === usualSort.key && !isDescending) next.delete("sort");
  else next.set("sort", `${isDescending ? "-" : ""}${key}`);
  return next;
}

/** A click on a heading: the other direction of the same key, or the usual one of another. */
export function sortAfterClick(sort: Sort, key: SortKey): Sort {
  if (sort.key === key) return { key, isDescending: !sort.isDescending };
  return { key, isDescending: largestFirst.has(key) };
}

/** When its present state began. */
export function sinceOf({ endedAt, startedAt, createdAt }: ListedProcess): string {
  return endedAt ?? startedAt ?? createdAt;
}

export function ownerOf({ owner }: ListedProcess): string {
  return owner.session ?? owner.task ?? "";
}

type Rows = ReadonlyMap<string, ProcessUsage>;
type Compare = (a: ListedProcess, b: ListedProcess, rows: Rows) => number;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byFigure(figure: (row: ProcessUsage | undefined) => number | null | undefined): Compare {
  // What has no figure comes after what has one, however small.
  return (a, b, rows) => (figure(rows.get(a.id)) ?? -1) - (figure(rows.get(b.id)) ?? -1);
}

const compare: Record<SortKey, Compare> = {
  state: (a, b) => Number(a.state === "ended") - Number(b.state === "ended"),
  process: (a, b) => compareText(a.name ?? a.command, b.name ?? b.command),
  owner: (a, b) => compareText(ownerOf(a), ownerOf(b)),
  since: (a, b) => compareText(sinceOf(a), sinceOf(b)),
  cpu: byFigure((row) => row?.cpu),
  memory: byFigure((row) => row?.memoryBytes),
  rate: byFigure((row) => row?.outputRate),
};

/** Equal ones: the newest first, so that the order is always the same. */
export function sortProcesses(
  processes: readonly ListedProcess[],
  { key, isDescending }: Sort,
  rows: Rows,
): ListedProcess[] {
  const direction = isDescending ? -1 : 1;
  return processes.toSorted(
    (a, b) =>
      direction * compare[key](a, b, rows) || compareText(sinceOf(b), sinceOf(a)) || compareText(a.id, b.id),
  );
}
