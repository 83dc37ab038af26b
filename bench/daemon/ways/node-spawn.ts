// Node's own spawn, with the pipes that whoever wants the output needs.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { shortProgram, type OpenWay } from "./way.ts";

export const openNodeSpawn: OpenWay = () => {
  const followed: ChildProcess[] = [];
  return Promise.resolve({
    startToEnd: () =>
      new Promise<void>((resolve, reject) => {
        const child = start([shortProgram]);
        // Read, as whoever wants the output does: an unread pipe never closes.
        child.stdout?.resume();
        child.stderr?.resume();
        child.once("error", reject);
        child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
      }),
    follow: (argv, count, receive) => {
      for (let index = 0; index < count; index++) {
        const child = start(argv);
        child.stdout?.on("data", (bytes: Buffer) => receive(index, bytes));
        child.stderr?.resume();
        followed.push(child);
      }
      return Promise.resolve();
    },
    ownPids: () => Promise.resolve([process.pid]),
    close: async () => {
      for (const child of followed) {
        child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      }
    },
  });
};

function start([program = "", ...args]: readonly string[]): ChildProcess {
  return spawn(program, args, { env: benchEnvironment, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
}
