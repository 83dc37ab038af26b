// A stored record as callers see it.
import { constants } from "node:os";
import { getSystemErrorMessage } from "node:util";
import type { Exit, ExitRecord } from "../protocol/exit.ts";
import type { ProcessExit, ProcessView } from "../protocol/process.ts";
import type { Share } from "../protocol/shares.ts";
import type { ProcessRecord, ShareRecord } from "../store/index.ts";

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export function signalName(number: number): string {
  return signalNames.get(number) ?? (number >= 34 ? `SIGRTMIN+${number - 34}` : `SIG${number}`);
}

/** SIGTERM, TERM, term or 15; undefined for anything else. */
export function signalNumber(signal: string | number): number | undefined {
  if (typeof signal === "number") return signal >= 1 && signal <= 64 ? signal : undefined;
  if (/^\d+$/.test(signal)) return signalNumber(Number(signal));
  const name = signal.toUpperCase();
  const realTime = /^(?:SIG)?RTMIN\+(\d+)$/.exec(name)?.[1];
  if (realTime !== undefined) return signalNumber(34 + Number(realTime));
  const known: Readonly<Record<string, number>> = constants.signals;
  return known[name.startsWith("SIG") ? name : `SIG${name}`];
}

export function viewExit(exit: Exit): ProcessExit {
  switch (exit.kind) {
    case "exited":
      return exit;
    case "signaled":
      return {
        kind: "signaled",
        signal: signalName(exit.signal),
        signalNumber: exit.signal,
        coreDumped: exit.coreDumped,
      };
    case "spawn_failed":
      return { ...exit, message: spawnMessage(exit.stage, exit.errno) };
    default:
      return { kind: "lost", lastSeen: new Date(exit.lastSeen).toISOString() };
  }
}

const stageTexts: Readonly<Record<string, string>> = {
  cwd: "the working directory cannot be entered",
  exec: "the program cannot be executed",
  interpreter: "the program's interpreter does not exist",
  pty: "no terminal could be opened",
  rlimit: "a resource limit cannot be set",
  nice: "the nice value cannot be set",
  deadline: "it did not start in time",
  keeper: "its keeper was killed before it could start",
  landlock: "it cannot be confined by Landlock",
  namespace: "it cannot be confined by a mount namespace",
  mount: "what it may write or see cannot be mounted",
  seccomp: "it cannot be confined by seccomp",
};

function spawnMessage(stage: string, errno: number): string {
  return `${stageTexts[stage] ?? `it failed at the step "${stage}"`}: ${getSystemErrorMessage(-errno)}`;
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function uptimeMs(record: ProcessRecord, nowMs: number): number {
  if (record.startedAt === null) return 0;
  // As the keeper measured it: when the daemon heard of its start, a short one may have ended.
  if (record.exit !== null && record.exit.durationUs > 0) return Math.round(record.exit.durationUs / 1_000);
  return Math.max(0, (record.endedAt ?? nowMs) - record.startedAt);
}

export function viewProcess(record: ProcessRecord, nowMs: number = Date.now()): ProcessView {
  const ended: ExitRecord | null = record.exit;
  return {
    id: record.id,
    name: record.name,
    command: record.command,
    argv: [...record.argv],
    cwd: record.cwd,
    endCwd: record.endCwd,
    mode: record.mode,
    state: record.state,
    exit: ended === null ? null : viewExit(ended.exit),
    stopReason: ended?.stopReason ?? "none",
    stopBy: record.stopRequester,
    pid: record.pid,
    owner: {
      profile: record.profile,
      ...(record.session === null ? {} : { session: record.session }),
      ...(record.task === null ? {} : { task: record.task }),
      ...(record.origin === null ? {} : { origin: record.origin }),
    },
    labels: record.labels,
    lifetime: record.lifetime,
    kind: record.kind,
    notify: record.notify,
    limits: record.spec.limits,
    confined: record.spec.confine !== undefined,
    createdAt: new Date(record.createdAt).toISOString(),
    startedAt: isoTime(record.startedAt),
    endedAt: isoTime(record.endedAt),
    uptimeMs: uptimeMs(record, nowMs),
    outputBytes: record.outputBytes,
    droppedBytes: 0,
    outputRemoved: record.outputRemoved,
    usage: ended?.usage ?? null,
  };
}

export function viewShare({ session, right, by, at }: ShareRecord): Share {
  return { session, right, by, at: new Date(at).toISOString() };
}
