// A home and the command line on it, as a person would use it: real processes, and a daemon that it starts by itself.
// When the test finishes everything that runs in the home is ended, the daemon and the launcher too.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { forgetShells } from "./forget-shells.ts";
import { cliProgram, programCommand } from "./programs.ts";
import { newTestHome } from "./test-home.ts";

export interface CliAnswer {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of another build, or from the sources; default: as it is installed. */
  readonly program?: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly answer: Promise<CliAnswer>;
  /** Resolves when its standard output contains the text; fails with what was seen. */
  shows(text: string): Promise<void>;
  /** The same of its standard error. */
  notes(text: string): Promise<void>;
}

export interface CliHome {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** To its end. */
  run(args: readonly string[], options?: CliOptions): Promise<CliAnswer>;
  /** Standard output of a command that succeeds, as JSON. */
  json<Value>(args: readonly string[], options?: CliOptions): Promise<Value>;
  start(args: readonly string[], options?: CliOptions): RunningCli;
  /** Id of a process that was started in the background. */
  background(...args: readonly string[]): Promise<string>;
}

const showDeadlineMs = 20_000;

/** The command line in any environment; the caller sees to its end. */
export function startCli(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  options: CliOptions = {},
): RunningCli {
  const [command, ...words] = programCommand(options.program ?? cliProgram, ...args);
  const child = spawn(command, words, {
    env: { ...environment, ...options.environment },
    cwd: options.cwd ?? "/",
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => undefined); // a command that refuses its arguments reads nothing
  if (options.input !== undefined) child.stdin?.end(options.input);
  const seen = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (seen.stdout += chunk.toString("latin1")));
  child.stderr?.on("data", (chunk: Buffer) => (seen.stderr += chunk.toString("latin1")));
  let isOver = false;
  const answer = once(child, "close").then((closed): CliAnswer => {
    const [code, signal] = closed as [number | null, NodeJS.Signals | null];
    isOver = true;
    return {
      code,
      signal,
      stdout: Buffer.from(seen.stdout, "latin1").toString(),
      stderr: Buffer.from(seen.stderr, "latin1").toString(),
    };
  });
  const seenIn = async (stream: "stdout" | "stderr", text: string): Promise<void> => {
    const signal = AbortSignal.timeout(showDeadlineMs);
    while (!seen[stream].includes(text)) {
      await Promise.race([once(child[stream] ?? child, "data", { signal }), answer]);
      // Not when it has exited: what it wrote last may still be on its way.
      if (isOver && !seen[stream].includes(text)) {
        throw new Error(
          `ended with ${child.exitCode ?? child.signalCode} without "${text}": ${seen.stdout}${seen.stderr}`,
        );
      }
    }
  };
  return {
    child,
    answer,
    shows: (text) => seenIn("stdout", text),
    notes: (text) => seenIn("stderr", text),
  };
}

/** One for all tests of a file: none of them may mind what others left there. */
export function sharedCliHome(program: string = cliProgram): CliHome {
  return openCliHome(newTestHome(), program, (end) => afterAll(end, 30_000));
}

/** A fresh home without a daemon. The program may be of another build. */
export function openCliHome(
  home: string = newTestHome(),
  program: string = cliProgram,
  onEnd: (end: () => Promise<void>) => void = (end) => onTestFinished(end, 30_000),
): CliHome {
  const environment = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: process.env["HOME"] ?? "/",
    SHELL: "/bin/sh",
    HOLDFAST_HOME: home,
  };
  const start = (args: readonly string[], options: CliOptions = {}): RunningCli =>
    startCli(environment, args, { program, ...options });
  const run = (args: readonly string[], options: CliOptions = {}): Promise<CliAnswer> =>
    start(args, options).answer;
  onEnd(async () => {
    await endHome(home, run);
    forgetShells(home, environment);
  });
  return {
    home,
    environment,
    start,
    run,
    json: async <Value>(args: readonly string[], options?: CliOptions) => {
      const answer = await run(args, options);
      expect(answer, answer.stderr).toMatchObject({ code: 0 });
      return JSON.parse(answer.stdout) as Value; // the caller names what it expects and checks it
    },
    background: async (...args) => {
      const answer = await run(["run", "-d", ...args]);
      expect(answer, answer.stderr).toMatchObject({ code: 0 });
      return answer.stdout.trim();
    },
  };
}

async function endHome(home: string, run: (args: readonly string[]) => Promise<CliAnswer>): Promise<void> {
  const lock = join(home, "launcher.lock");
  if (!existsSync(lock)) return; // nothing was ever started
  await run(["stop", "--all", "--grace", "0"]);
  await run(["daemon", "stop"]);
  process.kill(Number(/^pid (\d+)/m.exec(readFileSync(lock, "utf8"))?.[1]), "SIGKILL");
}
