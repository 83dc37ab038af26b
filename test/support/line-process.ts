// A program that is spoken to and answers by lines.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";

export interface LineProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

export class LineProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly #lines: AsyncIterator<string>;

  /** Ended, by the end of its standard input, when the test finishes. */
  constructor(argv: readonly [string, ...string[]], { environment = {} }: LineProcessOptions = {}) {
    const [program, ...args] = argv;
    this.child = spawn(program, args, {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    this.child.stdin.on("error", () => undefined); // it may be dead already
    this.ended = once(this.child, "exit").then((ended) => {
      const [code, signal] = ended as [number | null, NodeJS.Signals | null];
      return { code, signal };
    });
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    onTestFinished(async () => await this.end());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error("it was not started");
    return this.child.pid;
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    const line = await this.#lines.next();
    return line.done === true ? undefined : line.value;
  }

  say(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  async end(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
