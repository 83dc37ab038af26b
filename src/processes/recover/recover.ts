// After a restart of the daemon: every row and every run directory is looked at once, and each process ends up as what it truly is.
import { mkdir, rm } from "node:fs/promises";
import { readRunDirectory, runsDirectory, scanRuns, type RunStatus } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import { processIdPrefix } from "../../protocol/ids.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../context.ts";
import { finishProcess, finishSurely } from "../finish-process.ts";
import { ownRunPrefix } from "../start/run-to-end.ts";
import { failedExit } from "../start/start-process.ts";
import { recordFromDirectory } from "./record-from-directory.ts";

export interface Recovery {
  readonly adopted: number;
  readonly ended: number;
  readonly rebuilt: number;
}

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
export function follow(context: ProcessContext, id: string): void {
  const kept = keptProcess(context, id);
  void kept
    .wait(context.signal)
    .then((exit) => finishSurely(context, id, exit))
    .catch((error: unknown) => {
      if (!context.signal.aborted) context.report(`The end of ${id} could not be followed.`, error);
    })
    .finally(() => kept.close());
}

async function adopt(context: ProcessContext, record: ProcessRecord): Promise<void> {
  // A row that says "starting" belongs to a daemon that died before it could write down the answer. The others have all
  // there is to know: a thousand directories are not read for it.
  if (record.state === "starting" || record.pid === null) {
    const { spec } = await readRunDirectory(directoryOf(context, record.id));
    await context.registry.apply(record.id, "started", {
      pid: spec.childPid,
      childStart: spec.childStart,
      startedAt: spec.startedAt,
    });
  }
  follow(context, record.id);
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

async function settleRow(
  context: ProcessContext,
  record: ProcessRecord,
  status: RunStatus | undefined,
): Promise<"adopted" | "ended" | "failed"> {
  try {
    return await settle(context, record, status);
  } catch (error) {
    // It ended between the look at the folder and now.
    if (isHoldfastError(error, "RUN_NOT_FOUND", "RUN_DAMAGED")) await settleMissing(context, record);
    else context.report(`${record.id} could not be recovered.`, error);
    return "failed";
  }
}

/** Directories that no row knows: the store was lost, or never heard of them. */
async function rebuild(context: ProcessContext, id: string, status: RunStatus): Promise<boolean> {
  if (status === "abandoned" || status === "fenced" || status === "damaged") return false;
  const record = await recordFromDirectory(context, id).catch(() => undefined); // not ours, or removed under us
  if (record === undefined) return false;
  await context.registry.insert(record);
  await settleRow(context, record, status);
  return true;
}

export async function recover(context: ProcessContext): Promise<Recovery> {
  const runs = await scanRuns(context.binary, runsDirectory(context.home));
  const rows = context.registry.live();
  const outcomes = await Promise.all(rows.map((record) => settleRow(context, record, runs.get(record.id))));
  let rebuilt = 0;
  for (const [id, status] of runs) {
    if (id.startsWith(ownRunPrefix) && status !== "live")
      await rm(directoryOf(context, id), { recursive: true, force: true });
    if (!id.startsWith(processIdPrefix) || (await context.registry.get(id)) !== undefined) continue;
    if (await rebuild(context, id, status)) rebuilt += 1;
  }
  return {
    adopted: outcomes.filter((outcome) => outcome === "adopted").length,
    ended: outcomes.filter((outcome) => outcome === "ended").length,
    rebuilt,
  };
}
