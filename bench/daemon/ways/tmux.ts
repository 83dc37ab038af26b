// tmux in control mode: one client that stays connected, which is the quickest way to talk to its server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { benchEnvironment } from "../../keeper/bench-home.ts";
import { idleArgv, shortProgram, type OpenWay } from "./way.ts";

// The exit code as output, as people get it, and a pane that stays until then: of panes whose program ends at once
// tmux 3.3 sometimes tells neither the exit code nor the last output.
const shortCommand = `'${shortProgram}; echo "ended $?"; read x'`;

export const openTmux: OpenWay = async ({ directory }) => {
  const tmux = new TmuxClient(join(directory, "tmux.sock"));
  await tmux.answer(); // of new-session
  await tmux.ask("set-option -g default-shell /bin/sh");
  let last = "";
  const start = async (command: string, receive?: (bytes: Buffer) => void): Promise<void> => {
    last = await tmux.ask(`new-window -d -P -F 'pane #{pane_id}' ${command}`);
    if (receive !== undefined) tmux.receive(last.slice("pane ".length), receive);
  };
  return {
    startToEnd: async () => {
      const ended = Promise.withResolvers<string>();
      await start(shortCommand, (bytes) => ended.resolve(bytes.toString().trim()));
      const said = await ended.promise;
      if (said !== "ended 0") throw new Error(`tmux shows: ${said}`);
    },
    tidy: async () => {
      const pane = last.slice("pane ".length);
      await tmux.ask(`kill-pane -t ${pane}`);
      tmux.forget(pane);
    },
    hold: async (count) => {
      for (let index = 0; index < count; index++) await start(idleArgv.join(" "));
    },
    follow: async (argv, count, receive) => {
      for (let index = 0; index < count; index++)
        await start(argv.join(" "), (bytes) => receive(index, bytes));
    },
    ownPids: async () => [Number(await tmux.ask("display-message -p '#{pid}'"))],
    close: () => tmux.close(),
  };
};

class TmuxClient {
  readonly #receivers = new Map<string, (bytes: Buffer) => void>();
  /** Of panes whose id is not known yet. */
  readonly #early = new Map<string, Buffer[]>();
  readonly #child;
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  #lines: string[] | undefined;

  constructor(socket: string) {
    const session = "-C new-session -s bench -x 80 -y 24 sleep 10000".split(" ");
    this.#child = spawn("tmux", ["-f", "/dev/null", "-S", socket, ...session], {
      env: { ...benchEnvironment, LANG: "C.UTF-8", TERM: "xterm" },
      cwd: "/",
      stdio: ["pipe", "pipe", "ignore"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#receive(line));
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

  /** What a pane shows, from its beginning. */
  receive(pane: string, receive: (bytes: Buffer) => void): void {
    for (const bytes of this.#early.get(pane) ?? []) receive(bytes);
    this.#early.delete(pane);
    this.#receivers.set(pane, receive);
  }

  forget(pane: string): void {
    this.#receivers.delete(pane);
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
  }

  #output(line: string): void {
    const space = line.indexOf(" ", "%output ".length);
    const pane = line.slice("%output ".length, space);
    const bytes = Buffer.from(line.slice(space + 1).replaceAll(/\\(\d{3})/g, unescape), "latin1");
    const receive = this.#receivers.get(pane);
    if (receive !== undefined) receive(bytes);
    else this.#early.set(pane, [...(this.#early.get(pane) ?? []), bytes]);
  }
}

function unescape(_text: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}
