// Asks a person before a file is changed, where one is there and wants to be asked.
import { createInterface, type Interface } from "node:readline";
import type { InitOptions } from "../commands/init.ts";

export type Consent = "yes" | "no" | "AGENT_ENTRY_DIFFERS" | "CONFIRMATION_REQUIRED";

export class Questions {
  readonly #options: InitOptions;
  #lines: Interface | undefined;
  #next: AsyncIterator<string, undefined> | undefined;

  constructor(options: InitOptions) {
    this.#options = options;
  }

  /** @param isOther is it somebody else's entry? Then --yes alone does not count: nobody meant that one. */
  async mayChange(question: string, isOther: boolean): Promise<Consent> {
    const { yes, json } = this.#options;
    if (yes === true) return isOther ? "AGENT_ENTRY_DIFFERS" : "yes";
    const canAsk = process.stdin.isTTY && process.stdout.isTTY && json !== true;
    return canAsk ? await this.#ask(question) : "CONFIRMATION_REQUIRED";
  }

  async #ask(question: string): Promise<Consent> {
    process.stdout.write(`${question} [y/N] `);
    // The terminal edits and shows the line, and Ctrl-C ends us as it ends any program.
    this.#lines ??= createInterface({ input: process.stdin, terminal: false });
    this.#next ??= this.#lines[Symbol.asyncIterator]() as AsyncIterator<string, undefined>; // lines, then nothing
    const { value, done } = await this.#next.next();
    if (done === true) process.stdout.write("\n");
    return done !== true && /^\s*y(es)?\s*$/i.test(value) ? "yes" : "no";
  }

  [Symbol.dispose](): void {
    this.#lines?.close();
  }
}
