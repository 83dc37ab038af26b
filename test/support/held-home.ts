// A home that somebody has, without the weight of a whole daemon: the lock, the record and the status file, and nothing that answers.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Ownership } from "../../src/daemon/ownership.ts";
import { installBinary } from "../../src/keeper/index.ts";

const program = join(import.meta.dirname, "../fixtures/hold-home.ts");

export interface HeldHome {
  /** Of the holder, as it knows itself. */
  readonly pid: number;
  readonly child: ChildProcess;
  /** kill -9; leaves what a killed daemon leaves. */
  kill(): Promise<void>;
  /** Leaves as a daemon does. */
  leave(): Promise<void>;
}

/** Before the holder: a program that puts it elsewhere, say into another PID namespace. */
export async function holdHome(
  home: string,
  words: readonly string[] = [],
  before: readonly string[] = [],
): Promise<HeldHome> {
  const [command = "", ...args] = [...before, process.execPath, program, home, ...words];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const [line] = (await Promise.race([once(child.stdout, "data"), exited])) as [unknown];
  const pid = Number(/^held (\d+)\n$/.exec(String(line))?.[1]);
  if (!Number.isInteger(pid)) throw new Error(`the home could not be held: ${String(line)}`);
  return {
    pid,
    child,
    kill,
    leave: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** This process has it. @throws HoldfastError as a daemon that starts would */
export async function takeHome(home: string): Promise<Ownership> {
  return await Ownership.take({
    home,
    binary: await installBinary(home),
    version: "1.2.3",
    isEmbedded: true,
    environment: {},
    report: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
}
