// The verb `start`: everything is decided and stored before the child can run, so that a child which ends at once loses nothing.
import { confinementLack, confinementUnavailable, type StartOutcome } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord, StartStage } from "../../protocol/exit.ts";
import { newProcessId } from "../../protocol/ids.ts";
import type { StartInput } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { aboutProcess, keptProcess, type ProcessContext } from "../context.ts";
import { finishSurely } from "../finish-process.ts";
import { stopProcess } from "../stop/stop-process.ts";
import { prepareStart, type PreparedStart } from "./prepare-start.ts";

export interface Started {
  readonly record: ProcessRecord;
  readonly notes: readonly string[];
}

export function failedExit(stage: StartStage, errno: number): ExitRecord {
  return {
    exit: { kind: "spawn_failed", stage, errno },
    stopReason: "none",
    endedAt: Date.now(),
    durationUs: 0,
    outputBytes: 0,
    gapBytes: 0,
    descendants: 0,
  };
}

const timedOutErrno = 110; // ETIMEDOUT, as the keeper itself says it

/**
 * @param replaces is stopped, once nothing speaks against its successor any more
 * @throws HoldfastError TOO_MANY_PROCESSES, INVALID_ARGUMENT, START_TIMEOUT, REQUEST_TOO_LARGE, LAUNCHER_UNREACHABLE,
 * CONFINEMENT_UNAVAILABLE
 */
export async function startProcess(
  context: ProcessContext,
  input: StartInput,
  replaces?: ProcessRecord,
): Promise<Started> {
  const { registry, shells, activity } = context;
  const id = newProcessId();
  registry.reserve(id, { most: context.config().processes.maxRunning, replaces: replaces?.id });
  try {
    const prepared = await prepareReplacing(context, id, input, replaces);
    const { session } = prepared.record;
    if (session !== null) activity.touch(session);
    await registry.insert(prepared.record);
    const record = await runStart(context, prepared);
    if (record.exit?.exit.kind === "spawn_failed") shells.settle(id);
    return { record, notes: prepared.notes };
  } catch (error) {
    shells.settle(id);
    throw error;
  } finally {
    registry.release(id);
  }
}

async function prepareReplacing(
  context: ProcessContext,
  id: string,
  input: StartInput,
  replaces: ProcessRecord | undefined,
): Promise<PreparedStart> {
  const prepared = await prepareStart(context, id, input);
  if (replaces === undefined) return prepared;
  await stopProcess(context, replaces, { reason: "replaced" });
  // A session's shell goes on where its last command left it, and that may be the one that was stopped just now.
  const after = input.shell === undefined ? prepared : await prepareStart(context, id, input);
  const notes = new Set([
    `${replaces.id}, which had the name "${replaces.name}", was stopped first.`,
    ...prepared.notes,
    ...after.notes,
  ]);
  return { ...after, notes: [...notes] };
}

async function runStart(context: ProcessContext, prepared: PreparedStart): Promise<ProcessRecord> {
  const { registry } = context;
  const { record } = prepared;
  const outcome = await launch(context, prepared);
  if (outcome.kind === "failed") {
    const exit = failedExit(outcome.stage, outcome.errno);
    const failed = await registry.apply(record.id, "start_failed", { exit, endedAt: exit.endedAt });
    const lack = confinementLack(outcome.stage, outcome.errno);
    if (lack === undefined) return failed;
    // Nothing of the command is wrong, and no other will do better: that is no answer about a process.
    throw confinementUnavailable(lack, { id: record.id, stage: outcome.stage, errno: outcome.errno });
  }
  const { pid, childStart } = outcome;
  const startedAt = Date.now();
  // Before its end can be heard of: nothing is told of that until its watches have seen all it wrote.
  context.watches.begin({ ...record, pid, childStart, startedAt });
  void outcome.ended.then(
    (exit) => finishSurely(context, record.id, exit),
    (error: unknown) =>
      context.signal.aborted ||
      context.report(`The end of ${record.id} could not be followed.`, error, aboutProcess(record)),
  );
  try {
    return await registry.apply(record.id, "started", { pid, childStart, startedAt });
  } catch (error) {
    // What cannot be written down cannot be answered for: it must not run on unknown to everybody.
    const kept = keptProcess(context, record.id);
    await kept.stop({ graceMs: 0 }).finally(() => kept.close());
    throw error;
  }
}

/** Whatever goes wrong, nothing of it runs: the record says so before the caller hears of it. */
async function launch(
  context: ProcessContext,
  { record, begin, timeoutMs }: PreparedStart,
): Promise<StartOutcome> {
  try {
    return await begin({ timeoutMs });
  } catch (error) {
    const exit = failedExit(isHoldfastError(error, "START_TIMEOUT") ? "deadline" : "keeper", timedOutErrno);
    await context.registry.apply(record.id, "start_failed", { exit, endedAt: exit.endedAt });
    throw error;
  }
}
