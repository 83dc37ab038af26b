// The parent's side of a way's worker.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { benchEnvironment } from "../keeper/bench-home.ts";
import type { Answers, OrderName, Orders, WorkerOptions } from "./way-worker.ts";
import type { WayName } from "./ways/names.ts";

const program = join(import.meta.dirname, "way-worker.ts");

const answerTimeoutMs = 120_000;

export class OpenedWay {
  readonly name: WayName;
  readonly #child: ChildProcess;

  private constructor(name: WayName, child: ChildProcess) {
    this.name = name;
    this.#child = child;
  }

  static async open(name: WayName, home: string): Promise<OpenedWay> {
    const scratch = dirname(home);
    const options: WorkerOptions = { way: name, home, directory: mkdtempSync(join(scratch, "way-")) };
    const child = fork(program, [JSON.stringify(options)], {
      // Types stripped from a cache: the stripper in memory would double a small process.
      env: { ...benchEnvironment, HOME: scratch, NODE_COMPILE_CACHE: join(scratch, "compile-cache") },
    });
    const way = new OpenedWay(name, child);
    await way.#answer();
    return way;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async do<Name extends OrderName>(name: Name, work: Orders[Name]): Promise<Answers[Name]> {
    this.#child.send({ name, work });
    return (await this.#answer()) as Answers[Name]; // the worker answers each order by its name
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    await this.do("close", {});
    this.#child.kill();
    await once(this.#child, "exit");
  }

  async #answer(): Promise<unknown> {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(answerTimeoutMs)]);
    try {
      const [message] = (await Promise.race([
        once(this.#child, "message", { signal }),
        once(this.#child, "exit", { signal }).then(([code]) => [{ error: `its worker ended with ${code}` }]),
      ])) as [{ readonly answer?: unknown; readonly error?: string }];
      if (message.error !== undefined) throw new Error(`${this.name}: ${message.error}`);
      return message.answer;
    } finally {
      gone.abort();
    }
  }
}
