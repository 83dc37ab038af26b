// task-spooler: a queue with a server; its client waits for the end and passes the exit code on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { pidsWhere } from "../process-facts.ts";
import { idleArgv, shortProgram, type OpenWay } from "./way.ts";

const program = "/usr/bin/tsp";

export const openTaskSpooler: OpenWay = async ({ directory }) => {
  const env = {
    ...benchEnvironment,
    TS_SOCKET: join(directory, "tsp.sock"),
    TMPDIR: directory,
    TS_SLOTS: "1000",
    TS_MAXFINISHED: "1000",
  };
  const run = async (...args: readonly string[]): Promise<void> => {
    const child = spawn(program, args, { env, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`tsp ${args.join(" ")} ended with ${code}`);
  };
  const isOurs = (pid: number): boolean =>
    readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "tsp" &&
    readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TS_SOCKET=${env.TS_SOCKET}\0`);
  await run("-l");
  return {
    startToEnd: () => run("-f", shortProgram),
    hold: async (count) => {
      for (let index = 0; index < count; index++) await run(...idleArgv);
    },
    // Its server, and one process of its own for every job that runs.
    ownPids: () => Promise.resolve(pidsWhere(isOurs)),
    close: async () => {
      await run("-K");
      // Without its server a job runs on.
      for (const pid of pidsWhere((of) => isJob(of, env.TS_SOCKET))) process.kill(pid, "SIGKILL");
    },
  };
};

function isJob(pid: number, socket: string): boolean {
  return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TS_SOCKET=${socket}\0`);
}
