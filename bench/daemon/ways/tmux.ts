// tmux in control mode: one client that stays connected, which is the quickest way to talk to its server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { idleArgv, shortProgram, type OpenWay } from "./way.ts";

export const openTmux: OpenWay = async ({ directory }) => {
  const tmux = new TmuxClient(join(directory, "tmux.sock"));
  await tmux.answer(); // of new-session
  await tmux.ask("set-option -g remain-on-exit on");
  await tmux.ask("set-hook -g pane-died 'wait-for -S died'");
  let count = 0;
  let last = "";
  const startWindow = (argv: readonly string[]): string => `new-window -d -n ${last} -- ${argv.join(" ")}`;
  const next = (): void => {
    last = `w${++count}`;
  };
  return {
    // Sent at once and answered in turn. The second word makes tmux execute the program without a shell.
    startToEnd: async () => {
      next();
      const answers = await Promise.all([
        tmux.ask(startWindow([shortProgram, "x"])),
        tmux.ask("wait-for died"),
        tmux.ask(`display-message -p -t :${last} '#{pane_dead_status}'`),
      ]);
      if (answers[2] !== "0") throw new Error(`tmux tells the exit code ${answers[2]}`);
    },
    tidy: async () => {
      await tmux.ask(`kill-window -t :${last}`);
    },
    hold: async (many) => {
      for (let index = 0; index < many; index++) {
        next();
        await tmux.ask(startWindow(idleArgv));
      }
    },
    follow: async (argv, many, receive) => {
      for (let index = 0; index < many; index++) {
        next();
        tmux.receivers.set(
          await tmux.ask(startWindow(argv).replace("-d", "-d -P -F '#{pane_id}'")),
          (bytes) => receive(index, bytes),
        );
      }
    },
    ownPids: async () => [Number(await tmux.ask("display-message -p '#{pid}'")), tmux.pid],
    close: () => tmux.close(),
  };
};

class TmuxClient {
  /** By pane. */
  readonly receivers = new Map<string, (bytes: Buffer) => void>();
  readonly #child;
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  #lines: string[] | undefined;

  constructor(socket: string) {
    const args = [
      "-f",
      "/dev/null",
      "-S",
      socket,
      "-C",
      "new-session",
      "-s",
      "bench",
      "-x",
      "80",
      "-y",
      "24",
    ];
    this.#child = spawn("tmux", [...args, "sleep", "10000"], {
      env: { ...benchEnvironment, LANG: "C.UTF-8", TERM: "xterm" },
      cwd: "/",
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(line));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    return this.answer();
  }

  answer(): Promise<string> {
    const waiting = Promise.withResolvers<string>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  async close(): Promise<void> {
    this.#child.stdin.write("kill-server\n");
    await once(this.#child, "close");
  }

  #receive(line: string): void {
    if (line.startsWith("%output ")) this.#output(line);
    else if (line.startsWith("%begin ")) this.#lines = [];
    else if (line.startsWith("%end ")) this.#waiting.shift()?.resolve((this.#lines ?? []).join("\n"));
    else if (line.startsWith("%error "))
      this.#waiting.shift()?.reject(new Error(`tmux: ${(this.#lines ?? []).join("\n")}`));
    else if (!line.startsWith("%")) this.#lines?.push(line);
    else if (this.#lines?.length === 0 && /^%\d+$/.test(line)) this.#lines.push(line); // the id of a pane
  }

  #output(line: string): void {
    const space = line.indexOf(" ", "%output ".length);
    const receive = this.receivers.get(line.slice("%output ".length, space));
    receive?.(Buffer.from(line.slice(space + 1).replaceAll(/\\(\d{3})/g, unescape), "latin1"));
  }
}

function unescape(_text: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}
