// The daemon of a home as `daemon status` tells it: what its files and the kernel say, and what it says itself if it answers soon.
import { connect } from "../client/node.ts";
import { explain, readPresence, type Presence } from "../home/index.ts";
import type {
  DaemonRecord,
  DaemonStatus,
  ListenerStatus,
  RuntimeStatus,
  Supervisor,
} from "../protocol/daemon.ts";
import { readVersion } from "./version.ts";

export interface DaemonReport {
  /** As the daemon says it, if it answers; else as its files say it; foreign, stale, unknown as they were seen. */
  readonly state: Presence["detail"];
  readonly detail: Presence["detail"];
  readonly pid: number | null;
  readonly version: string;
  readonly home: string;
  readonly startedAt: string | null;
  readonly running: number | null;
  readonly processes: number | null;
  readonly launcherPid: number | null;
  readonly problems: readonly string[];
  readonly supervisor: Supervisor | null;
  readonly listeners: readonly ListenerStatus[];
  /** A running one: since when. Another: when it was last heard of. */
  readonly since: string | null;
  readonly answers: boolean;
  readonly owner: Presence["owner"];
  readonly record: DaemonRecord | null;
  /** The status file. */
  readonly runtime: RuntimeStatus | null;
  readonly reason: string;
  readonly advice: string;
}

// One that hangs must not hang whoever asks after it. It answers in milliseconds, on a loaded machine in tens.
const answerTimeoutMs = 2_000;

export async function daemonReport(home: string): Promise<DaemonReport> {
  const seen = readPresence(home);
  // Stopped by a signal it takes connections, by the kernel, and answers none.
  if (seen.owner?.liveness === "stopped") return combine(seen, undefined);
  const answer = await ask(home);
  // It may have come, or have been replaced, since we looked.
  const hasChanged = answer !== undefined && answer.pid !== seen.owner?.pid;
  return combine(hasChanged ? readPresence(home) : seen, answer);
}

async function ask(home: string): Promise<DaemonStatus | undefined> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    const client = await connect({ home, signal, reconnectMs: 0 });
    try {
      return await client.daemon.status({}, { signal });
    } finally {
      client.close();
    }
  } catch {
    return undefined; // nobody is there, it is about to go, or it hangs: the files tell which
  }
}

function combine(seen: Presence, answer: DaemonStatus | undefined): DaemonReport {
  const { home, owner, record, status, since } = seen;
  const isThere = seen.state === "running" || seen.state === "foreign" || seen.state === "unknown";
  const last = isThere ? status : null;
  const detail = answer?.state ?? seen.detail;
  return {
    state: seen.state === "foreign" ? "foreign" : detail,
    detail,
    pid: answer?.pid ?? owner?.pid ?? null,
    version: answer?.version ?? (seen.state === "stopped" ? undefined : record?.version) ?? readVersion(),
    home,
    startedAt: answer?.startedAt ?? (isThere ? since : null),
    running: answer?.running ?? (isThere ? (status?.active.processes ?? null) : null),
    processes: answer?.processes ?? null,
    launcherPid: answer?.launcherPid ?? null,
    problems: answer?.problems ?? [],
    supervisor: answer?.supervisor ?? last?.supervisor ?? null,
    listeners: answer?.listeners ?? last?.listeners ?? [],
    since: answer?.startedAt ?? since,
    answers: answer !== undefined,
    owner,
    record,
    runtime: status,
    ...wordsFor(seen, answer),
  };
}

function wordsFor(seen: Presence, answer: DaemonStatus | undefined): Pick<DaemonReport, "reason" | "advice"> {
  const { reason, advice, state, detail, owner } = seen;
  if (answer !== undefined && state !== "foreign") {
    const liveness = owner?.liveness ?? "running";
    return explain({ ...seen, state: "running", detail: answer.state, owner: { pid: answer.pid, liveness } });
  }
  const isSilent = answer === undefined && state === "running" && owner?.liveness !== "stopped";
  if (!isSilent || detail === "starting" || detail === "draining") return { reason, advice };
  return {
    reason: `${reason} It does not answer.`,
    advice: `If it stays so, take its place: holdfast daemon run --replace, or kill -9 ${owner?.pid ?? "PID"}: nothing is lost by that.`,
  };
}
