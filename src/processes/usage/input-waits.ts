// Programs that read from their terminal: whether a line is awaited, and whether it is shown. The sample sees the read, the keeper knows
// the terminal's mode; it is asked once for each wait.
import type { ProcessUsage } from "../../protocol/usage.ts";
import { keptProcess, type ProcessContext } from "../context.ts";
import type { SampledRow } from "./sampling.ts";

type Waits = ProcessUsage["waits"];

interface Wait {
  readonly id: string;
  readonly outputBytes: number;
  readonly since: string;
  waits: Waits;
}

// Each is a connection: of a thousand that wait all are asked, a few at a time.
const mostAtOnce = 8;

export class InputWaits {
  readonly #context: ProcessContext;
  readonly #onFound: (id: string, waits: Waits) => void;
  readonly #waits = new Map<string, Wait>();
  readonly #unasked: Wait[] = [];
  #asking = 0;

  /** @param onFound called later than `look` has answered */
  constructor(context: ProcessContext, onFound: (id: string, waits: Waits) => void) {
    this.#context = context;
    this.#onFound = onFound;
  }

  /** What is known of it now. */
  look({ id, reads, outputBytes }: SampledRow): Waits {
    if (!reads) {
      this.#waits.delete(id);
      return null;
    }
    const known = this.#waits.get(id);
    if (known?.outputBytes === outputBytes) return known.waits;
    const wait: Wait = { id, outputBytes, since: new Date().toISOString(), waits: null };
    this.#waits.set(id, wait);
    this.#unasked.push(wait);
    if (this.#asking < mostAtOnce) void this.#askOneByOne();
    return null;
  }

  clear(): void {
    this.#waits.clear();
  }

  async #askOneByOne(): Promise<void> {
    this.#asking += 1;
    for (let wait = this.#unasked.shift(); wait !== undefined; wait = this.#unasked.shift()) {
      if (this.#isStill(wait)) await this.#ask(wait);
    }
    this.#asking -= 1;
  }

  #isStill(wait: Wait): boolean {
    return this.#waits.get(wait.id) === wait;
  }

  async #ask(wait: Wait): Promise<void> {
    const kept = keptProcess(this.#context, wait.id);
    try {
      const { terminal } = await kept.state();
      // Whoever reads single keys draws a screen, or edits a line: that somebody is awaited would be a guess.
      if (terminal?.isCanonical !== true || !this.#isStill(wait)) return;
      wait.waits = { for: terminal.isEchoing ? "input" : "password", since: wait.since };
      this.#onFound(wait.id, wait.waits);
    } catch {
      // Ended at this moment, or without a keeper: then nothing is known.
    } finally {
      kept.close();
    }
  }
}
