// Daemons as programs, several in one home: started, told apart, and ended with their exit codes seen. Whatever is left when the test
// finishes is killed; the home itself is ended by whoever opened it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { daemonProgram, programCommand } from "./programs.ts";
import { testDirectory } from "./test-home.ts";

export interface DaemonProgramOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Another build. */
  readonly program?: string;
  /** As a service manager would run it. */
  readonly supervisedBy?: "systemd";
}

export interface DaemonProgram {
  readonly child: ChildProcess;
  readonly pid: number;
  /** "ready", or the exit code of one that never was. */
  readonly outcome: Promise<"ready" | number | null>;
  /** Its exit code; null when it was killed. */
  readonly exited: Promise<number | null>;
  stderr(): string;
}

/** Not awaited to be ready: see `outcome`. */
export function runDaemonProgram(home: string, options: DaemonProgramOptions = {}): DaemonProgram {
  const program = programCommand(options.program ?? daemonProgram, ...(options.args ?? []));
  // systemd names the process it has executed itself.
  const supervised = ["/bin/sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$0" "$@"', ...program];
  const [command = "", ...args] = options.supervisedBy === undefined ? program : supervised;
  const child = spawn(command, args, {
    env: {
      PATH: process.env["PATH"],
      HOME: testDirectory(),
      HOLDFAST_HOME: home,
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "close").then(([code]: unknown[]) => code as number | null); // of a child: its exit code
  const ready = once(child.stdout, "data").then(() => "ready" as const);
  ready.catch(() => undefined); // one that ends says nothing
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return {
    child,
    pid: child.pid ?? 0,
    outcome: Promise.race([ready, exited]),
    exited,
    stderr: () => errors,
  };
}

/** One that is ready. */
export async function readyDaemonProgram(
  home: string,
  options: DaemonProgramOptions = {},
): Promise<DaemonProgram> {
  const daemon = runDaemonProgram(home, options);
  const outcome = await daemon.outcome;
  if (outcome !== "ready") throw new Error(`the daemon did not start (${outcome}): ${daemon.stderr()}`);
  return daemon;
}
