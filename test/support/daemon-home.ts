// A home with a real daemon for one test. Everything started in it is ended, the daemon and its launcher are gone, when the test finishes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { forgetShells } from "./forget-shells.ts";
import { daemonProgram, programCommand } from "./programs.ts";
import { newTestHome } from "./test-home.ts";

export interface DaemonHome {
  readonly home: string;
  readonly socketPath: string;
  /** The daemon that runs now. */
  pid(): number;
  /** Starts a daemon in this home; resolves when it answers. */
  start(): Promise<void>;
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM that nobody announced; resolves with its exit code. */
  terminate(): Promise<number | null>;
  /** Resolves with its exit code when it ends by itself. */
  exited(): Promise<number | null>;
  /** One operation over the socket, as curl would send it. */
  call(operation: string, input?: unknown): Promise<{ status: number; body: unknown }>;
}

/** Variables of the caller a daemon needs; nothing that begins with HOLDFAST_ but the home. */
function daemonEnvironment(home: string, extra: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: process.env["HOME"] ?? "/",
    HOLDFAST_HOME: home,
    ...extra,
  };
}

async function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

interface SpawnedAs {
  readonly environment: Readonly<Record<string, string>>;
  /** What runs it: a program and its first arguments. */
  readonly through: readonly string[];
  readonly program: string;
}

async function spawnDaemon(
  home: string,
  { environment, through, program }: SpawnedAs,
): Promise<ChildProcess> {
  const [command = "", ...args] = [...through, ...programCommand(program)];
  const child = spawn(command, args, {
    env: daemonEnvironment(home, environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ready = once(child.stdout ?? child, "data").then(() => "ready" as const);
  const outcome = await Promise.race([ready, exited(child)]);
  if (outcome !== "ready") throw new Error(`the daemon did not start (${outcome}): ${errors}`);
  return child;
}

async function postJson(
  socketPath: string,
  operation: string,
  input: unknown,
): Promise<{ status: number; body: unknown }> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath,
        method: "POST",
        path: `/v1/${operation}`,
        headers: { "content-type": "application/json" },
      },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown }),
        );
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(input));
  });
}

function launcherPid(home: string): number {
  return Number(/^pid (\d+)$/m.exec(readFileSync(join(home, "launcher.lock"), "utf8"))?.[1]);
}

export interface DaemonHomeOptions extends Partial<SpawnedAs> {
  readonly home?: string;
  /** Given what ends everything; default: it is done when the test finishes. */
  readonly onEnd?: (end: () => Promise<void>) => void;
}

/** Opens a fresh home (or the given one) with a running daemon. */
export async function openDaemonHome(options: DaemonHomeOptions = {}): Promise<DaemonHome> {
  const home = options.home ?? newTestHome();
  const socketPath = join(home, "daemon.sock");
  const extra = {
    environment: options.environment ?? {},
    through: options.through ?? [],
    program: options.program ?? daemonProgram,
  };
  let child = await spawnDaemon(home, extra);
  const daemon: DaemonHome = {
    home,
    socketPath,
    pid: () => child.pid ?? 0,
    start: async () => {
      child = await spawnDaemon(home, extra);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited(child);
    },
    terminate: async () => {
      child.kill("SIGTERM");
      return await exited(child);
    },
    exited: () => exited(child),
    call: (operation, input = {}) => postJson(socketPath, operation, input),
  };
  const onEnd = options.onEnd ?? ((end) => onTestFinished(end, 30_000));
  onEnd(async () => {
    const stopAll = (): Promise<unknown> => daemon.call("process.stop", { all: true, graceMs: 0 });
    const startAgain = async (): Promise<void> => {
      await exited(child);
      child = await spawnDaemon(home, extra);
    };
    if (child.exitCode !== null || child.signalCode !== null) await startAgain();
    // The command line may just have told it to go: then it is already gone from its socket, and a moment from dead.
    await stopAll().catch(async () => {
      await startAgain();
      await stopAll();
    });
    await daemon.terminate();
    process.kill(launcherPid(home), "SIGKILL");
    forgetShells(home, daemonEnvironment(home, extra.environment));
  });
  return daemon;
}

/** One for all tests of a file: none of them may mind what others left there. */
export async function sharedDaemonHome(options: DaemonHomeOptions = {}): Promise<DaemonHome> {
  return await openDaemonHome({ ...options, onEnd: (end) => afterAll(end, 30_000) });
}
