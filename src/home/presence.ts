// Does somebody run this home, who, and since when: read from files and the kernel. Takes no lock, signals nobody, writes and
// removes nothing, so that any number of readers disturb no starter.
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { DaemonRecord, DaemonState, RuntimeStatus } from "../protocol/daemon.ts";
import { identityOf, probeProcess, type Liveness } from "../util/process-identity.ts";
import { explain } from "./explain.ts";
import { homeFiles } from "./files.ts";
import { findHolder, holdOf, seesEveryProcess } from "./lock-holder.ts";
import { isSameProcess, readRecord } from "./record.ts";
import { readStatusFile, uncleanEnd } from "./status-file.ts";

/**
 * running: somebody has the lock. stopped: nobody, and the last one said goodbye. stale: nobody, but it left a record. foreign: its
 * record is of another PID namespace, and only its lock can tell whether it is there. unknown: what could be seen proves nothing.
 */
export type PresenceState = "running" | "stopped" | "stale" | "foreign" | "unknown";

export interface Owner {
  /** As seen from here; of a foreign one that cannot be seen, as it knows itself. */
  readonly pid: number;
  /** stopped: by a signal (state T); it holds the home and answers nobody. */
  readonly liveness: Liveness;
}

export interface Sight {
  readonly home: string;
  readonly state: PresenceState;
  /** The same, finer: how a running one is, how a stopped one went. */
  readonly detail: DaemonState | "stale" | "foreign" | "unknown";
  readonly owner: Owner | null;
  readonly record: DaemonRecord | null;
  /** What the last daemon wrote; of another one than the owner while that starts. */
  readonly status: RuntimeStatus | null;
  /** A running one: since when. Another: when it was last heard of. */
  readonly since: string | null;
}

export interface Presence extends Sight {
  /** Why this is said, one sentence. */
  readonly reason: string;
  /** What to do, one sentence. */
  readonly advice: string;
}

type Found = Pick<Sight, "state" | "owner">;

/** What the files say at one moment. */
interface Told {
  readonly record: DaemonRecord | undefined;
  /** There is a record, and it cannot be read as one. */
  readonly isDamaged: boolean;
  readonly status: RuntimeStatus | undefined;
}

// A daemon that comes or goes while we look would be seen half here, half gone. Each writes its files a few times only.
const mostLooks = 10;

export function readPresence(home: string): Presence {
  const { lock } = homeFiles(home);
  let told = readTold(home);
  for (let looks = 1; ; looks++) {
    const found = look(lock, told);
    const then = told;
    told = readTold(home);
    if (looks === mostLooks || isDeepStrictEqual(then, told)) return describe(home, found, then);
  }
}

function readTold(home: string): Told {
  const record = readRecord(home);
  return {
    record,
    isDamaged: record === undefined && existsSync(homeFiles(home).record),
    status: readStatusFile(home),
  };
}

function describe(home: string, { state, owner }: Found, { record, status }: Told): Presence {
  const ownStatus = status !== undefined && isOf(status, owner, record) ? status : undefined;
  const sight: Sight = {
    home,
    state,
    detail: detailOf(state, owner, record, state === "stopped" ? status : ownStatus),
    owner,
    record: record ?? null,
    status: status ?? null,
    since: state === "running" ? (ownStatus?.startedAt ?? null) : (status?.updatedAt ?? null),
  };
  return { ...sight, ...explain(sight) };
}

function look(lock: string, { record, isDamaged, status }: Told): Found {
  const liveness = record === undefined ? undefined : probeProcess(record);
  const mayHold = liveness === "running" || liveness === "stopped" || liveness === "unknown";
  const hold = record !== undefined && mayHold ? holdOf(record.pid, lock) : "none";
  if (record !== undefined && liveness !== undefined) {
    if (hold === "held" || hold === "deleted")
      return { state: "running", owner: { pid: record.pid, liveness } };
    // It is exactly that process, and only its files are hidden from us.
    if (hold === "unseen" && liveness !== "unknown")
      return { state: "running", owner: { pid: record.pid, liveness } };
  }
  const holder = findHolder(lock);
  if (holder !== undefined)
    return { state: liveness === "foreign" ? "foreign" : "running", owner: ownerOf(holder, liveness) };
  if (record === undefined || liveness === undefined)
    return { state: isDamaged || uncleanEnd(status) ? "stale" : "stopped", owner: null };
  // Somebody that let the lock go and said why may still be on its way out, or have left its record.
  const hasLeft = status !== undefined && isSameProcess(status.writer, record) && !uncleanEnd(status);
  if (hasLeft) return { state: "stopped", owner: null };
  const isGone = liveness === "gone" || (liveness === "foreign" && seesEveryProcess());
  if (isGone) return { state: "stale", owner: null };
  return { state: liveness === "foreign" ? "foreign" : "unknown", owner: { pid: record.pid, liveness } };
}

function ownerOf(pid: number, liveness: Liveness | undefined): Owner {
  if (liveness === "foreign") return { pid, liveness };
  const identity = identityOf(pid);
  return { pid, liveness: identity === undefined ? "unknown" : probeProcess(identity) };
}

function isOf(status: RuntimeStatus, owner: Owner | null, record: DaemonRecord | undefined): boolean {
  if (record === undefined || !isSameProcess(status.writer, record)) return false;
  return owner === null || owner.pid === record.pid || owner.liveness === "foreign";
}

function detailOf(
  state: PresenceState,
  owner: Owner | null,
  record: DaemonRecord | undefined,
  status: RuntimeStatus | undefined,
): Sight["detail"] {
  if (state === "stopped") return status?.state === "failed" ? "failed" : "stopped";
  if (state !== "running") return state;
  if (owner?.pid !== record?.pid) return "starting"; // it has the lock and has not told yet who it is
  if (status === undefined) return "running"; // where the home cannot be written
  return status.state === "stopped" || status.state === "failed" ? "draining" : status.state;
}
