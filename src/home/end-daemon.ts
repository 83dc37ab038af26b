// Ends the daemon of a home, for whoever stops it or takes its place: a marker, SIGTERM, a while, SIGKILL. A process is signalled only
// while the kernel proves that it is the one the record names and that it has the home.
import { setTimeout as delay } from "node:timers/promises";
import { HoldfastError } from "../protocol/errors.ts";
import { probeProcess } from "../util/process-identity.ts";
import type { DaemonOwner } from "./daemon-owner.ts";
import { homeFiles } from "./files.ts";
import { holdOf } from "./lock-holder.ts";
import { leaveMarker, withdrawMarker, type MarkerKind, type MarkerWish } from "./markers.ts";

export interface EndOptions extends MarkerWish {
  readonly home: string;
  readonly owner: DaemonOwner;
  readonly kind: MarkerKind;
  /** released: it may still be on its way out when this resolves. */
  readonly until: "released" | "gone";
  /** Asks it over its socket: where no marker can be written, and of a program that may not be signalled. */
  readonly ask: () => Promise<unknown>;
  /** How long it may take besides the drain, before it is killed. */
  readonly graceMs?: number;
  /** How long a killed one may take. */
  readonly killMs?: number;
}

/** gone: it went before anything was done. */
export type Ending = "gone" | "ended" | "killed";

// Its own limits for closing everything add up to less.
const defaultGraceMs = 15_000;
const defaultKillMs = 5_000;
const pollMs = 5;

/** @throws HoldfastError DAEMON_DENIED, DAEMON_UNPROVEN, DAEMON_STUCK; then it is still there */
export async function endDaemon(options: EndOptions): Promise<Ending> {
  const { home, kind, graceMs = defaultGraceMs, killMs = defaultKillMs, drainMs = 0 } = options;
  try {
    if (isOver(options)) return "gone";
    // One that is stopped by a signal would heed SIGTERM only when somebody continues it.
    if (options.owner.liveness !== "stopped") {
      await request(options);
      if (await isOverWithin(options, graceMs + drainMs)) return "ended";
    }
    signal(options, "SIGKILL");
    if (await isOverWithin(options, killMs)) return "killed";
    throw stuck(options);
  } finally {
    withdrawMarker(kind, home);
  }
}

/** Lets it know in the surest way there is. */
async function request(options: EndOptions): Promise<void> {
  if (!options.owner.maySignal) {
    await options.ask().catch((cause: unknown) => {
      throw silent(options, cause);
    });
    return;
  }
  if (!tryMarker(options)) {
    // Without a marker its service manager would bring it back; its socket needs no disk.
    try {
      await options.ask();
      return;
    } catch {
      // it does not answer: a signal will do
    }
  }
  signal(options, "SIGTERM");
}

function tryMarker({ home, kind, owner, drainMs, restart }: EndOptions): boolean {
  try {
    const wish = { ...(drainMs === undefined ? {} : { drainMs }), ...(restart === true ? { restart } : {}) };
    leaveMarker(kind, { home, target: owner.identity, ...wish });
    return true;
  } catch {
    return false; // full, or read-only
  }
}

function isOver({ home, owner, until }: EndOptions): boolean {
  if (probeProcess(owner.identity) === "gone") return true;
  return until === "released" && holdOf(owner.identity.pid, homeFiles(home).lock) === "none";
}

async function isOverWithin(options: EndOptions, limitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + limitMs;
  while (!isOver(options)) {
    if (performance.now() >= deadlineMs) return false;
    await delay(pollMs);
  }
  return true;
}

function signal({ home, owner }: EndOptions, name: "SIGTERM" | "SIGKILL"): void {
  const { pid } = owner.identity;
  if (!owner.maySignal) {
    throw new HoldfastError("DAEMON_STUCK", `Process ${pid} does not let go of ${home}.`, {
      hint: `It is a program with a daemon inside: end it, or wait for it. It was not killed.`,
      details: { home, pid },
    });
  }
  const liveness = probeProcess(owner.identity);
  const hold = holdOf(pid, homeFiles(home).lock);
  if (liveness === "gone" || hold === "none") return;
  if (liveness !== "running" && liveness !== "stopped") throw unproven(home, pid);
  try {
    process.kill(pid, name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ESRCH") return;
    if (code !== "EPERM") throw error;
    throw new HoldfastError("DAEMON_DENIED", `Process ${pid}, the daemon of ${home}, is another user's.`, {
      details: { home, pid },
    });
  }
}

function silent({ home, owner }: EndOptions, cause: unknown): HoldfastError {
  const { pid } = owner.identity;
  if (!owner.isEmbedded) return unproven(home, pid, cause);
  return new HoldfastError("DAEMON_STUCK", `Process ${pid}, which has ${home}, does not answer.`, {
    hint: "It is a program with a daemon inside: end it, or wait for it. It was not signalled.",
    details: { home, pid },
    cause,
  });
}

function unproven(home: string, pid: number, cause?: unknown): HoldfastError {
  const message = `Process ${pid} has ${home}, and it cannot be proven that it is its daemon.`;
  return new HoldfastError("DAEMON_UNPROVEN", message, { details: { home, pid }, cause });
}

function stuck({ home, owner }: EndOptions): HoldfastError {
  const { pid } = owner.identity;
  return new HoldfastError(
    "DAEMON_STUCK",
    `Process ${pid}, the daemon of ${home}, does not end, not even by SIGKILL.`,
    {
      details: { home, pid },
    },
  );
}
