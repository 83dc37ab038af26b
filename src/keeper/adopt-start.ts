// A start whose answer died with its launcher: the run is there, so it was started; this finds out how it went.
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { KeeperConnection } from "./connection.ts";
import type { KeeperState } from "./keeper-state.ts";
import type { PendingStart, StartOutcome } from "./pending-start.ts";
import { reachKeeper, type LocalRun } from "./reach-keeper.ts";
import { readSpec } from "./spec-file.ts";

export interface Adoption {
  readonly run: LocalRun;
  readonly signal: AbortSignal;
  readonly waitForEnd: (pending: PendingStart) => Promise<ExitRecord>;
}

/** @throws HoldfastError RUN_CLAIMED when the run is another's, and as reachKeeper */
export async function adoptStart(pending: PendingStart, adoption: Adoption): Promise<StartOutcome> {
  const { id, directory } = pending;
  const spec = await readSpec(directory);
  if (spec.startToken !== pending.startToken) {
    throw new HoldfastError("RUN_CLAIMED", `The id ${id} is taken by another run.`, { details: { id } });
  }
  const reached = await reachKeeper(adoption.run, { signal: adoption.signal, timeoutMs: pending.timeoutMs });
  if (reached.kind === "ended") {
    const ended = Promise.resolve(reached.exit);
    return outcomeOf(pending, {
      pid: spec.childPid,
      keeperPid: 0,
      childStart: spec.childStart,
      exit: reached.exit,
      ended,
    });
  }
  await using connection = reached.connection;
  const state = await afterStarting(connection, adoption.signal);
  const ended = state.exit === undefined ? adoption.waitForEnd(pending) : Promise.resolve(state.exit);
  ended.catch(() => undefined); // nobody has to wait for the end
  const { keeperPid } = connection;
  return outcomeOf(pending, {
    pid: state.pid,
    keeperPid,
    childStart: state.startTime,
    exit: state.exit,
    ended,
  });
}

interface Found {
  readonly pid: number;
  readonly keeperPid: number;
  readonly childStart: number;
  readonly exit: ExitRecord | undefined;
  readonly ended: Promise<ExitRecord>;
}

function outcomeOf(pending: PendingStart, found: Found): StartOutcome {
  const { id, directory } = pending;
  const { exit: record, ...process } = found;
  if (record?.exit.kind === "spawn_failed") {
    return { kind: "failed", id, stage: record.exit.stage, errno: record.exit.errno };
  }
  return { kind: "started", id, directory, ...process };
}

/** The state once it is known whether the child could be executed. */
async function afterStarting(connection: KeeperConnection, signal: AbortSignal): Promise<KeeperState> {
  const { promise, resolve, reject } = Promise.withResolvers<KeeperState>();
  const look = (state: KeeperState): void => {
    if (state.state !== "starting") resolve(state);
  };
  const stopListening = connection.onState(look);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  void connection.closed.then(reject);
  look(connection.state);
  try {
    return await promise;
  } finally {
    stopListening();
    signal.removeEventListener("abort", abort);
  }
}
