// tmux by its commands, as scripts use it: a window that says when it is done, and a client that waits for it. The end is one that tmux knows of.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { shortProgram, type OpenWay } from "./way.ts";

export const openTmuxCommands: OpenWay = async ({ directory }) => {
  const socket = join(directory, "tmux.sock");
  const codeFile = join(directory, "code");
  const run = async (...args: readonly string[]): Promise<void> => {
    const child = spawn("tmux", ["-f", "/dev/null", "-S", socket, ...args], {
      env: { ...benchEnvironment, LANG: "C.UTF-8", TERM: "xterm", SHELL: "/bin/sh" },
      cwd: "/",
      stdio: "ignore",
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`tmux ${args.join(" ")} ended with ${code}`);
  };
  await run("new-session", "-d", "-s", "bench", "-x", "80", "-y", "24", "sleep 10000");
  const short = `${shortProgram}; echo $? >${codeFile}; exec tmux -S ${socket} wait-for -S done`;
  return {
    startToEnd: async () => {
      // One after the other in one command: a second client would cost a second start.
      await run("new-window", "-d", short, ";", "wait-for", "done");
      if (readFileSync(codeFile, "utf8") !== "0\n") throw new Error("tmux: an odd end");
    },
    close: () => run("kill-server"),
  };
};
