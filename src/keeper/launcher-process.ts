// The launcher as a process: starting one, from inside a kept process as well, and ending one that hangs.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { KeeperConnection } from "./connection.ts";
import { isRunning } from "../util/process-identity.ts";
import { parseIdentity } from "./identity.ts";
import { connectUnixSocket } from "./socket.ts";

/** Names the run directory of the kept process that this process is, or descends from. */
export const runVariable = "HOLDFAST_RUN";

// Exit codes of `keeper launcher` (CONTRACT.md).
const exitDone = 0;
const exitOwnedByAnother = 75;

export interface LauncherCommand {
  readonly home: string;
  /** Path of the keeper binary. */
  readonly binary: string;
}

/**
 * Starts a launcher and waits until it listens, or until it has seen that another one owns the home.
 * @throws HoldfastError LAUNCHER_UNREACHABLE
 */
export async function startLauncher(command: LauncherCommand, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null;
    signal: string | null;
  }>();
  // An empty environment: nothing of the caller's may reach a child it was not meant for.
  const child = spawn(command.binary, ["launcher", command.home], {
    detached: true,
    stdio: "ignore",
    env: {},
    cwd: "/",
  });
  child.once("error", reject);
  child.once("exit", (code, signal) => resolve({ code, signal }));
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  try {
    const { code, signal } = await promise;
    if (code === exitDone || code === exitOwnedByAnother) return;
    const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
    throw new HoldfastError(
      "LAUNCHER_UNREACHABLE",
      `The launcher of ${command.home} ${how} when it was started.`,
      {
        details: { exitCode: code, signal },
      },
    );
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new HoldfastError("LAUNCHER_UNREACHABLE", `${command.binary} cannot be started.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Inside a kept process, lets that process's keeper start the launcher, so that it is no part of the tree and has none of
 * its limits. False when this process is not kept, or its keeper does not answer: then only the plain way is left.
 */
export async function startLauncherOutside(
  command: LauncherCommand,
  runDirectory: string | undefined,
): Promise<boolean> {
  if (!runDirectory) return false;
  try {
    const socket = await connectUnixSocket(runDirectory, "sock");
    await using connection = await KeeperConnection.open(socket, { timeoutMs: 1_000 });
    await connection.outside({ cwd: "/", argv: [command.binary, "launcher", command.home], env: {} });
    return true;
  } catch {
    return false; // ended, killed, or of another contract: the caller goes the plain way, which always works
  }
}

/**
 * Kills the launcher of a home, if the process that its lock file names is proven to be that one.
 * False when there is none to kill.
 */
export function killLauncher(home: string): boolean {
  const identity = parseIdentity(readLock(home));
  if (identity === undefined || !isRunning(identity)) return false;
  try {
    return process.kill(identity.pid, "SIGKILL");
  } catch {
    return false; // gone in this instant
  }
}

function readLock(home: string): string {
  try {
    return readFileSync(join(home, "launcher.lock"), "utf8").replaceAll(/ +$/gm, "");
  } catch {
    return ""; // no launcher has ever run here
  }
}
