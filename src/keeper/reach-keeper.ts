// Finds whoever answers for a run: its keeper, the successor of a dead one, or, for an ended run, its directory.
import type { Duplex } from "node:stream";
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { Backoff } from "./backoff.ts";
import { KeeperConnection } from "./connection.ts";
import { readExitRecord } from "./exit-record.ts";
import { isDirectory } from "./run-directory.ts";
import { connectUnixSocket } from "./socket.ts";
import { hasErrorCode } from "./system-error.ts";

/** kept: a keeper has it, or a successor is on its way. */
export type Recovered = "kept" | "ended";

export interface LocalRun {
  readonly directory: string;
  /** Asks the launcher to bring back a keeper (`Launcher.recover`). Without it, a run nobody keeps stays so. */
  readonly recover?: () => Promise<Recovered>;
}

/** A run reached only through a bridge: ssh, a container's exec. */
export interface RemoteRun {
  /** A new stream to `keeper attach` each time. */
  readonly connect: (signal: AbortSignal | undefined) => Promise<Duplex>;
}

export type RunTarget = LocalRun | RemoteRun;

export type Reached =
  | { readonly kind: "live"; readonly connection: KeeperConnection }
  /** Nobody keeps it any more; the directory has everything. */
  | { readonly kind: "ended"; readonly directory: string; readonly exit: ExitRecord };

export interface ReachOptions {
  /** How long a run may be without anybody who answers for it; default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

// A successor is there within milliseconds; a launcher that must be replaced first, within its 5 s of silence.
const defaultTimeoutMs = 10_000;

/**
 * The caller owns the connection it gets.
 * @throws HoldfastError KEEPER_UNREACHABLE, RUN_NOT_FOUND, RUN_DAMAGED, TOO_MANY_CLIENTS, CONTRACT_MISMATCH
 */
export async function reachKeeper(target: RunTarget, options: ReachOptions = {}): Promise<Reached> {
  const backoff = new Backoff(options.timeoutMs ?? defaultTimeoutMs);
  let isFirst = true;
  for (;;) {
    options.signal?.throwIfAborted();
    const connection = await tryConnect(target, options.signal);
    if (connection instanceof KeeperConnection) return { kind: "live", connection };
    const ended = "directory" in target ? await endOf(target, { isFirst, backoff }) : undefined;
    if (ended !== undefined) return ended;
    if (backoff.isOver) {
      const name = "directory" in target ? target.directory : "the run";
      throw new HoldfastError("KEEPER_UNREACHABLE", `Nobody answers for ${name}.`, {
        cause: connection.reason,
      });
    }
    await backoff.wait(options.signal);
    isFirst = false;
  }
}

async function tryConnect(
  target: RunTarget,
  signal: AbortSignal | undefined,
): Promise<KeeperConnection | { readonly reason: unknown }> {
  try {
    const stream = await ("directory" in target
      ? connectUnixSocket(target.directory, "sock", signal)
      : target.connect(signal));
    return await KeeperConnection.open(stream, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    if (isNobodyThere(error)) return { reason: error };
    throw error;
  }
}

/** Errors that a keeper's death or re-execution explains; anything else is not cured by trying again. */
function isNobodyThere(error: unknown): boolean {
  if (isHoldfastError(error)) return error.code === "KEEPER_GONE";
  return ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EAGAIN", "EPIPE"].some((code) =>
    hasErrorCode(error, code),
  );
}

async function endOf(
  run: LocalRun,
  when: { isFirst: boolean; backoff: Backoff },
): Promise<Reached | undefined> {
  const { directory, recover } = run;
  const exit = await readExitRecord(directory);
  // A descendant can still write after the end: then a keeper, or its successor, must be there to store it.
  if (exit !== undefined && (exit.descendants === 0 || recover === undefined))
    return { kind: "ended", directory, exit };
  if (exit === undefined && !(await isDirectory(directory))) {
    throw new HoldfastError("RUN_NOT_FOUND", `There is no run in ${directory}.`);
  }
  // A keeper that has just re-executed itself needs no help; one more try comes before the launcher is asked.
  if (recover === undefined || when.isFirst) return undefined;
  const recovered = await recover().catch((error: unknown) => {
    if (isHoldfastError(error, "LAUNCHER_UNREACHABLE") && !when.backoff.isOver) return "kept" as const;
    throw error;
  });
  if (recovered === "kept") return undefined;
  const final = await readExitRecord(directory);
  if (final !== undefined) return { kind: "ended", directory, exit: final };
  throw new HoldfastError(
    "RUN_DAMAGED",
    `The run in ${directory} has ended, and its exit record cannot be read.`,
  );
}

/**
 * Waits for the end of a run, through the death of any number of keepers.
 * @throws as reachKeeper
 */
export async function waitForEnd(target: RunTarget, options: ReachOptions = {}): Promise<ExitRecord> {
  for (;;) {
    // The record is written before anyone is told, so it is the shortest way to a past end.
    const exit = "directory" in target ? await readExitRecord(target.directory) : undefined;
    if (exit !== undefined) return exit;
    const reached = await reachKeeper(target, options);
    if (reached.kind === "ended") return reached.exit;
    await using connection = reached.connection;
    try {
      return await connection.waitEnd(options.signal);
    } catch (error) {
      if (!isHoldfastError(error, "KEEPER_GONE")) throw error;
    }
  }
}
