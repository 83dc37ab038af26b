// Starts the daemon of a home as a program of its own, which outlives this one. The lock of the home decides which of
// several daemons started at once stays; all others end with a code that says so, and their starters use that one.
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "../client/node.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { daemonEnvironment } from "./daemon-environment.ts";
import { daemonProgram } from "./daemon-program.ts";

// Exit codes of the daemon (src/daemon/main.ts).
const exitMovedOutside = 0;
const exitAnotherRuns = 75;
const exitBadConfiguration = 78;

// A daemon may have thousands of processes to take over before it answers.
const readyTimeoutMs = 60_000;
// How long one that has the lock but does not answer is given, before another start: it may just be about to go.
const otherAnswersMs = 2_000;
const pollMs = 20;
const mostErrorBytes = 16_384;

/** With the compile cache of this process, if it has one. */
export function daemonVariables(home: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Node puts a folder for its own version under the one it is given.
  const cache = getCompileCacheDir();
  return {
    ...daemonEnvironment(environment),
    HOLDFAST_HOME: home,
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

/** Resolves when a daemon answers for the home. @throws HoldfastError DAEMON_UNREACHABLE, CONFIG_INVALID */
export async function startDaemon(home: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (performance.now() < deadlineMs) {
    const outcome = await startOnce(home, environment);
    if (outcome === "ready") return;
    // Started outside the tree we are in, or somebody else's: it says nothing to us, so we ask.
    const patienceMs = outcome === "moved" ? readyTimeoutMs : otherAnswersMs;
    if (await answersWithin(home, Math.min(deadlineMs, performance.now() + patienceMs))) return;
  }
  throw notStarted(home, "it does not answer");
}

type StartOutcome = "ready" | "moved" | "another";

async function startOnce(home: string, environment: NodeJS.ProcessEnv): Promise<StartOutcome> {
  const errors = openErrorFile();
  try {
    const child = spawn(process.execPath, [daemonProgram()], {
      detached: true,
      cwd: "/",
      env: daemonVariables(home, environment),
      stdio: ["ignore", "pipe", errors],
    });
    const code = await readyOrExit(child);
    if (code === "ready") return "ready";
    if (code === exitMovedOutside) return "moved";
    if (code === exitAnotherRuns) return "another";
    const text = readErrors(errors);
    if (code === exitBadConfiguration) throw new HoldfastError("CONFIG_INVALID", text);
    throw notStarted(home, text || `it ended with ${code}`);
  } finally {
    closeSync(errors);
  }
}

/**
 * A file nobody can see: a pipe would break when we go, and the daemon's next warning would end it. What it says before
 * it is ready is ours to tell; what comes later is in its log.
 */
function openErrorFile(): number {
  const path = join(tmpdir(), `holdfast-start-${process.pid}-${crypto.randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  rmSync(path);
  return descriptor;
}

function readyOrExit(child: ChildProcess): Promise<"ready" | number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<"ready" | number | null>();
  const timer = setTimeout(() => resolve(null), readyTimeoutMs);
  child.once("error", reject);
  child.stdout?.once("data", () => resolve("ready"));
  child.once("exit", (code) => resolve(code));
  return promise.finally(() => {
    clearTimeout(timer);
    child.stdout?.destroy();
    child.unref();
  });
}

/** Without the warnings of Node itself. */
function readErrors(descriptor: number): string {
  const buffer = Buffer.alloc(Math.min(fstatSync(descriptor).size, mostErrorBytes));
  readSync(descriptor, buffer, 0, buffer.length, 0);
  const lines = buffer.toString().split("\n");
  return lines
    .filter((line) => !/^\(node:\d+\)|^\(Use `node --trace/.test(line))
    .join("\n")
    .trim();
}

async function answersWithin(home: string, deadlineMs: number): Promise<boolean> {
  do {
    try {
      const client = await connect({ home });
      client.close();
      return true;
    } catch {
      await delay(pollMs); // not yet
    }
  } while (performance.now() < deadlineMs);
  return false;
}

function notStarted(home: string, why: string): HoldfastError {
  return new HoldfastError("DAEMON_UNREACHABLE", `The daemon of ${home} did not start: ${why}`, {
    hint: `Read ${join(home, "daemon.log")}.`,
    retryable: false,
  });
}
