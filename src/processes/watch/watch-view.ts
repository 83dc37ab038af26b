// A watch as callers see it.
import type { WatchView } from "../../protocol/watches.ts";
import type { ProcessRecord, WatchProgress, WatchRecord } from "../../store/index.ts";
import { resumeAt } from "./scan-state.ts";
import { readStanding, type Standing } from "./standing.ts";

function scannedTo({ id, spec }: WatchRecord, { scan, catchUps }: Standing): number | null {
  if (spec.kind !== "text" && spec.kind !== "regex" && spec.kind !== "rate") return null;
  const own = catchUps.find(({ watch }) => watch === id)?.scan ?? scan;
  return own === null ? 0 : resumeAt(own);
}

export function viewWatch(
  watch: WatchRecord,
  process: ProcessRecord,
  progress: WatchProgress | undefined,
): WatchView {
  const standing = readStanding(progress?.push);
  return {
    id: watch.id,
    processId: watch.processId,
    spec: watch.spec,
    state: process.state === "ended" ? "ended" : watch.state,
    createdAt: new Date(watch.createdAt).toISOString(),
    hits: watch.hits,
    lastHitAt: watch.lastHitAt === null ? null : new Date(watch.lastHitAt).toISOString(),
    lastHitOffset: watch.lastHitOffset,
    scannedTo: scannedTo(watch, standing),
    pushOff: standing.push.isOff,
  };
}
