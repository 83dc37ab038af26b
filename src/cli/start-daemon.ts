// Starts the daemon of a home as a program of its own, which outlives this one. The lock of the home decides which of
// several daemons started at once stays; all others end with a code that says so, and their starters use that one.
import { spawn, type ChildProcess } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { daemonExitCode, readPresence } from "../home/index.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { answersWithin } from "./daemon-answer.ts";
import { daemonEnvironment } from "./daemon-environment.ts";
import { daemonProgram } from "./daemon-program.ts";
import { StartErrors } from "./start-errors.ts";

// A daemon may have thousands of processes to take over before it answers.
export const readyTimeoutMs = 60_000;
// How long one that has the lock but does not answer is given, before another start: it may just be about to go.
const otherAnswersMs = 2_000;

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

/** Resolves when a daemon answers for the home. @throws HoldfastError DAEMON_UNREACHABLE, or why it refuses to start */
export async function startDaemon(home: string, environment: NodeJS.ProcessEnv): Promise<void> {
  refuseConfined(home, environment);
  const { startByUnit } = await import("./unit-daemon.ts");
  if (await startByUnit(home, environment)) return;
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (performance.now() < deadlineMs) {
    const outcome = await startOnce(home, environment).catch((error: unknown) => {
      // The newer one that wrote the store may be there, and only not have answered yet.
      const isThere = isHoldfastError(error, "STORE_TOO_NEW") && readPresence(home).state === "running";
      if (isThere) return "another" as const;
      throw error;
    });
    if (outcome === "ready") return;
    // Started outside the tree we are in, or somebody else's: it says nothing to us, so we ask.
    const patienceMs = outcome === "moved" ? readyTimeoutMs : otherAnswersMs;
    if (await answersWithin(home, Math.min(deadlineMs, performance.now() + patienceMs))) return;
  }
  throw notStarted(home, "it does not answer");
}

/** To a confined process the home is empty: a daemon of its own there would be another one, and could not be. */
function refuseConfined(home: string, environment: NodeJS.ProcessEnv): void {
  const run = environment["HOLDFAST_RUN"] ?? "";
  if (dirname(dirname(run)) !== home || existsSync(dirname(run))) return;
  throw new HoldfastError(
    "DAEMON_UNREACHABLE",
    `This runs confined, in ${basename(run)}: Holdfast cannot be reached from there.`,
    { hint: "Ask for it outside, where the confined process was started." },
  );
}

/**
 * ready: it answers. moved: another process, outside the kept one we are in, goes on and tells us nothing. another: somebody has the
 * home already, or was quicker.
 */
export type StartOutcome = "ready" | "moved" | "another";

/** @throws HoldfastError DAEMON_UNREACHABLE, or why it refuses to start */
export async function startOnce(
  home: string,
  environment: NodeJS.ProcessEnv,
  {
    args = [],
    timeoutMs = readyTimeoutMs,
  }: { readonly args?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<StartOutcome> {
  using errors = new StartErrors();
  const child = spawn(process.execPath, [daemonProgram(), "--json", ...args], {
    detached: true,
    cwd: "/",
    env: daemonVariables(home, environment),
    stdio: ["ignore", "pipe", errors.descriptor],
  });
  const code = await readyOrExit(child, timeoutMs);
  if (code === "ready") return "ready";
  if (code === daemonExitCode.done) return "moved";
  const refusal = errors.refusal();
  if (refusal?.code === "DAEMON_RUNNING") return "another";
  if (refusal !== undefined && refusal.code !== "INTERNAL") throw refusal;
  throw notStarted(home, refusal?.message ?? (errors.text() || `it ended with ${code}`));
}

function readyOrExit(child: ChildProcess, timeoutMs: number): Promise<"ready" | number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<"ready" | number | null>();
  const timer = setTimeout(() => resolve(null), timeoutMs);
  child.once("error", reject);
  child.stdout?.once("data", () => resolve("ready"));
  child.once("exit", (code) => resolve(code));
  return promise.finally(() => {
    clearTimeout(timer);
    child.stdout?.destroy();
    child.unref();
  });
}

export function notStarted(home: string, why: string): HoldfastError {
  return new HoldfastError("DAEMON_UNREACHABLE", `The daemon of ${home} did not start: ${why}`, {
    hint: `Read ${join(home, "daemon.log")}.`,
    retryable: false,
  });
}
