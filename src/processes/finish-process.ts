// The end of a process reaches the registry exactly once, whoever saw it first.
import { setTimeout as delay } from "node:timers/promises";
import { listSegments, segmentEnd } from "../keeper/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import type { ExitRecord } from "../protocol/exit.ts";
import type { ProcessRecord } from "../store/index.ts";
import { directoryOf, type ProcessContext } from "./context.ts";

export interface OutputExtent {
  readonly end: number;
  readonly droppedBytes: number;
}

/** How far the output goes and how much of it is no longer there. */
export async function outputExtent(directory: string): Promise<OutputExtent> {
  const segments = await listSegments(directory).catch(() => []); // removed, or never claimed
  const last = segments.at(-1);
  const end = last === undefined ? 0 : segmentEnd(last);
  const kept = segments.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  return { end, droppedBytes: end - kept };
}

export async function finishProcess(
  context: ProcessContext,
  id: string,
  exit: ExitRecord,
): Promise<ProcessRecord> {
  // Only a descendant can have written more than the record says, and most processes leave none.
  const end = exit.descendants === 0 ? 0 : (await outputExtent(directoryOf(context, id))).end;
  const outputBytes = Math.max(exit.outputBytes, end);
  // Before the end is told: whoever hears of it may start the session's next command.
  const endCwd = await context.shells.finish(id, exit);
  const changes = { exit, endedAt: exit.endedAt, outputBytes, ...(endCwd === null ? {} : { endCwd }) };
  const record = await context.registry.apply(id, "ended", changes);
  context.shells.settle(id);
  return record;
}

// A full disk is cleared by hand, or by retention within a minute: asking every second costs nothing.
const retryMs = 1_000;

/** As above, and again until the store takes it: an end must not be forgotten because the disk was full when it came. */
export async function finishSurely(context: ProcessContext, id: string, exit: ExitRecord): Promise<void> {
  for (let isFirst = true; !context.signal.aborted; isFirst = false) {
    try {
      await finishProcess(context, id, exit);
      return;
    } catch (error) {
      // Removed meanwhile: then nobody wants to know.
      if (isHoldfastError(error, "PROCESS_NOT_FOUND")) return;
      if (isFirst && !context.signal.aborted)
        context.report(`The end of ${id} cannot be stored yet.`, error, { processId: id });
      await delay(retryMs, undefined, { signal: context.signal, ref: false }).catch(() => undefined); // the daemon goes
    }
  }
}
