// Who a lock belongs to.
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import type { LockOwner, LockState } from "../protocol/locks.ts";
import {
  currentBootId,
  currentPidNamespace,
  identityOf,
  probeProcess,
  readProcessStat,
  type SharedIdentity,
} from "../util/process-identity.ts";

/** Why a process cannot own a lock here. */
type Refusal = "gone" | "other_user" | "foreign" | "unknown";

const refusals: Readonly<Record<Refusal, string>> = {
  gone: "it has ended",
  other_user: "it belongs to another user",
  foreign: "it cannot be seen from here: it is in another PID namespace",
  unknown: "it cannot be looked at",
};

export function ownerRefused(reason: Refusal, pid?: number): HoldfastError {
  const who = pid === undefined ? "the caller" : `process ${pid}`;
  return new HoldfastError("LOCK_OWNER_REFUSED", `${who} cannot own a lock: ${refusals[reason]}`, {
    details: { reason, pid: pid ?? null },
  });
}

/** A process by its number, as it is now. @throws HoldfastError LOCK_OWNER_REFUSED */
export function ownerOf(pid: number, command?: string): LockOwner {
  if (pid < 1) throw ownerRefused("foreign"); // so the kernel calls a parent outside of the namespace
  const identity = identityOf(pid) ?? identityByNumber(pid);
  return { ...identity, command: command ?? commandOf(pid) };
}

/** As ownerOf, of a process that the caller only names: it must be of the same user. @throws HoldfastError LOCK_OWNER_REFUSED */
export function namedOwner(pid: number): LockOwner {
  const errno = errnoOfSignal(pid);
  if (errno === "EPERM") throw ownerRefused("other_user", pid);
  if (errno === "ESRCH") throw ownerRefused("gone", pid);
  return ownerOf(pid);
}

/** A process that somebody else has looked at, in this PID namespace. */
export function ownerFrom({
  pid,
  startTime,
}: {
  readonly pid: number;
  readonly startTime: number;
}): LockOwner {
  return {
    pid,
    startTime,
    bootId: currentBootId(),
    pidNamespace: currentPidNamespace(),
    command: commandOf(pid),
  };
}

/** Where there is no /proc, the number is all there is: such an owner is unknown while somebody has the number, then gone. */
function identityByNumber(pid: number): SharedIdentity {
  const errno = errnoOfSignal(pid);
  if (errno === "ESRCH" || currentBootId() !== "")
    throw ownerRefused(errno === "EPERM" ? "unknown" : "gone", pid);
  return { pid, startTime: 0, bootId: "", pidNamespace: "" };
}

function errnoOfSignal(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  }
}

/** Not its arguments: they may hold secrets. Its file first: a program may call itself anything, and Node does. */
function commandOf(pid: number): string | null {
  const file = tryRead(() => readlinkSync(`/proc/${pid}/exe`));
  if (file !== undefined) return basename(file.replace(/ \(deleted\)$/, ""));
  return tryRead(() => readFileSync(`/proc/${pid}/comm`, "utf8"))?.replace(/\n$/, "") ?? null;
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined; // no /proc, not ours to see, or just gone
  }
}

export function isSameOwner(one: LockOwner, other: LockOwner): boolean {
  return (
    one.pid === other.pid &&
    one.startTime === other.startTime &&
    one.bootId === other.bootId &&
    one.pidNamespace === other.pidNamespace
  );
}

export function stateOf(owner: LockOwner): LockState {
  const liveness = probeProcess(owner);
  // A tracer stops its program (t) at every step and lets it go on: under strace an owner must not lose its locks.
  const isTraced = liveness === "stopped" && readProcessStat(owner.pid)?.state !== "T";
  return isTraced ? "running" : liveness;
}

/** May somebody else have it? What cannot be proven does not count as gone. */
export function isStale(state: LockState): boolean {
  return state === "gone" || state === "stopped" || state === "damaged";
}
