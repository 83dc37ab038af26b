// What a watch has found: its matches, found again in the output that is kept, and what could not be looked at.
import { runDirectory } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { WatchRecord } from "../../store/index.ts";
import { segmentBytes } from "./hit-recorder.ts";
import { toLineWatch } from "./output-lanes.ts";
import { gapsSchema } from "./standing.ts";
import type { WatchHost } from "./watch-host.ts";
import type { WorkerLink } from "./worker-link.ts";

export interface HitsInput {
  readonly watch: string;
  readonly from: number;
  readonly limit: number;
}

/** @throws HoldfastError WATCH_NOT_FOUND, INVALID_ARGUMENT, RUN_NOT_FOUND */
export async function listHits(
  { store, home }: Pick<WatchHost, "store" | "home">,
  link: WorkerLink,
  { watch: id, from, limit }: HitsInput,
): Promise<OperationOutput<"watch.hits">> {
  const watch = await store.watches.get(id);
  if (watch === undefined) throw watchNotFound(id);
  const directory = runDirectory(home, watch.processId);
  const { hits, next } = await link.findHits({ directory, watch: lineWatchOf(watch), from, limit });
  const progress = await store.watches.progress(watch.processId);
  const gaps = gapsSchema.parse(JSON.parse(progress?.gaps ?? "[]"));
  return { hits: [...hits], next, gaps, counts: await countsOf(store, id, from) };
}

async function countsOf(
  store: WatchHost["store"],
  id: string,
  from: number,
): Promise<OperationOutput<"watch.hits">["counts"]> {
  const counts = await store.watches.counts(id, Math.floor(from / segmentBytes));
  return counts.map(({ segment, hits }) => {
    return { from: segment * segmentBytes, to: (segment + 1) * segmentBytes, hits };
  });
}

function watchNotFound(id: string): HoldfastError {
  return new HoldfastError("WATCH_NOT_FOUND", `There is no watch "${id}".`, { details: { watch: id } });
}

function lineWatchOf(watch: WatchRecord): ReturnType<typeof toLineWatch>[number] {
  const [line] = toLineWatch(watch);
  if (line === undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `${watch.id} looks for no text: it has no lines to find.`);
  }
  // One that was added for earlier output looks for that too.
  const { spec } = watch;
  const asked = "from" in spec && spec.from !== "now" ? (spec.from === "start" ? 0 : spec.from) : line.from;
  return { ...line, from: Math.min(asked, line.from) };
}
