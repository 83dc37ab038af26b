// What an earlier daemon left of one process becomes what it truly is.
import { mkdir, rm } from "node:fs/promises";
import { readRunDirectory, type RunStatus } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { aboutProcess, directoryOf, keptProcess, type ProcessContext } from "../context.ts";
import { finishProcess, finishSurely } from "../finish-process.ts";
import { failedExit } from "../start/start-process.ts";

const canceledErrno = 125; // ECANCELED: it was never let to run

function lostExit(lastSeen: number): ExitRecord {
  return {
    exit: { kind: "lost", lastSeen },
    stopReason: "none",
    endedAt: lastSeen,
    durationUs: 0,
    outputBytes: 0,
    gapBytes: 0,
    descendants: 0,
  };
}

/** Follows a process that runs: its end reaches the registry like that of one started here. */
function follow(context: ProcessContext, id: string): void {
  const kept = keptProcess(context, id);
  void kept
    .wait(context.signal)
    .then((exit) => finishSurely(context, id, exit))
    .catch((error: unknown) => {
      if (!context.signal.aborted)
        context.report(`The end of ${id} could not be followed.`, error, { processId: id });
    })
    .finally(() => kept.close());
}

async function adopt(context: ProcessContext, record: ProcessRecord): Promise<void> {
  // A row that says "starting" belongs to a daemon that died before it could write down the answer. The others have all
  // there is to know: a thousand directories are not read for it.
  let adopted = record;
  if (record.state === "starting" || record.pid === null) {
    const { spec } = await readRunDirectory(directoryOf(context, record.id));
    adopted = await context.registry.apply(record.id, "started", {
      pid: spec.childPid,
      childStart: spec.childStart,
      startedAt: spec.startedAt,
    });
  }
  follow(context, record.id);
  await context.watches.resume(adopted);
}

async function finish(context: ProcessContext, record: ProcessRecord): Promise<void> {
  const { exit, spec } = await readRunDirectory(directoryOf(context, record.id));
  const started = record.startedAt ?? spec.startedAt;
  if (exit === undefined) {
    await context.registry.apply(record.id, "ended", { exit: lostExit(started), endedAt: started });
    return;
  }
  if (record.startedAt === null && exit.exit.kind !== "spawn_failed") {
    await context.registry.apply(record.id, "started", {
      pid: spec.childPid,
      childStart: spec.childStart,
      startedAt: started,
    });
  }
  await finishProcess(context, record.id, exit);
}

/** No directory: a start that is fenced off here and now never happened; anything else is lost. */
async function settleMissing(context: ProcessContext, record: ProcessRecord): Promise<void> {
  if (record.state === "starting" && record.pid === null) {
    try {
      await mkdir(directoryOf(context, record.id), { mode: 0o700 });
    } catch {
      await settle(context, record, "live"); // its keeper was quicker than the fence
      return;
    }
    await rm(directoryOf(context, record.id), { recursive: true, force: true });
    const exit = failedExit("keeper", canceledErrno);
    await context.registry.apply(record.id, "start_failed", { exit, endedAt: exit.endedAt });
    return;
  }
  const lastSeen = record.startedAt ?? record.createdAt;
  await context.registry.apply(record.id, "ended", { exit: lostExit(lastSeen), endedAt: Date.now() });
}

async function settle(
  context: ProcessContext,
  record: ProcessRecord,
  status: RunStatus | undefined,
): Promise<"adopted" | "ended"> {
  switch (status) {
    case "live":
      await adopt(context, record);
      return "adopted";
    case "unkept":
    case "earlier-boot": {
      const recovered = await context.launcher.recover(record.id);
      if (recovered === "kept") {
        await adopt(context, record);
        return "adopted";
      }
      await finish(context, record);
      return "ended";
    }
    case "ended":
      await finish(context, record);
      return "ended";
    case "damaged":
      await context.registry.apply(record.id, "ended", {
        exit: lostExit(record.createdAt),
        endedAt: Date.now(),
      });
      return "ended";
    default: // abandoned, fenced or absent
      await settleMissing(context, record);
      return "ended";
  }
}

/** postponed: the store does not take it now, as on a full disk; to be settled again with a fresh look at its directory. */
export type Settled = "adopted" | "ended" | "failed" | "postponed";

export function isNotTaken(error: unknown): boolean {
  return isHoldfastError(error, "STORE_FULL", "STORE_READ_ONLY", "STORE_BUSY");
}

export async function settleRow(
  context: ProcessContext,
  record: ProcessRecord,
  status: RunStatus | undefined,
): Promise<Settled> {
  try {
    return await settle(context, record, status);
  } catch (error) {
    if (isNotTaken(error)) return "postponed";
    // It was removed or given up between the look at the folder and now.
    if (isHoldfastError(error, "RUN_NOT_FOUND", "RUN_DAMAGED") && status !== undefined)
      return await settleRow(context, record, undefined);
    context.report(`${record.id} could not be recovered.`, error, aboutProcess(record));
    return "failed";
  }
}
