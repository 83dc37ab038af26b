// Types what an emulator answers into the program. Each byte has a number that follows from the output alone, so that an emulator that is
// made again, even after a crash, types nothing twice.
import { randomBytes } from "node:crypto";
import type { KeptProcess } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";

// A program that asks for ever and never reads what it hears.
const mostWaitingBytes = 65_536;

export interface AnswerState {
  readonly writer: string;
  readonly answeredBytes: number;
}

export class Answers {
  readonly #kept: KeptProcess;
  #writer: string;
  /** All bytes so far, and how many of them came before this writer. */
  #bytes = 0;
  #before = 0;
  #waitingBytes = 0;
  #last: Promise<void> = Promise.resolve();
  #mutedBefore = 0;
  #repeatedBefore = 0;

  constructor(kept: KeptProcess, state?: AnswerState) {
    this.#kept = kept;
    this.#writer = state?.writer ?? newWriter();
    this.#before = -(state?.answeredBytes ?? 0);
  }

  get state(): AnswerState {
    return { writer: this.#writer, answeredBytes: this.#bytes - this.#before };
  }

  /** Resolves when everything so far was typed, or cannot be. */
  get settled(): Promise<void> {
    return this.#last;
  }

  /** Nobody knows what of the output before this offset was answered: none of it is now. */
  muteBefore(offset: number): void {
    this.#mutedBefore = offset;
    this.#beginAsNewWriter(this.#bytes);
  }

  /** Output before this offset is drawn once more, and its answers have the numbers they had. */
  repeatBefore(offset: number): void {
    this.#repeatedBefore = offset;
  }

  /** @param offset of the output that asked */
  type(text: string, offset: number): void {
    if (offset < this.#mutedBefore || this.#waitingBytes > mostWaitingBytes) return;
    const bytes = Buffer.from(text);
    const at = this.#bytes;
    this.#bytes += bytes.length;
    this.#waitingBytes += bytes.length;
    const isRepeated = offset < this.#repeatedBefore;
    this.#last = this.#last
      .then(() => this.#write(bytes, at, isRepeated))
      .finally(() => {
        this.#waitingBytes -= bytes.length;
      });
  }

  async #write(bytes: Buffer, at: number, isRepeated: boolean): Promise<void> {
    try {
      await this.#writeAt(bytes, at);
    } catch (error) {
      // The keeper remembers only the last writers. What it may have typed is not typed again; what is new is, by a new one.
      if (!isHoldfastError(error, "SEQUENCE_GAP") || isRepeated) return;
      this.#beginAsNewWriter(at);
      await this.#writeAt(bytes, at).catch(() => undefined); // it has ended, or its input is closed
    }
  }

  async #writeAt(bytes: Buffer, at: number): Promise<void> {
    await this.#kept.writeAs({ id: BigInt(`0x${this.#writer}`), sequence: at - this.#before }, bytes);
  }

  #beginAsNewWriter(at: number): void {
    this.#writer = newWriter();
    this.#before = at;
  }
}

/** Any number but 0, which the keeper has for itself. */
function newWriter(): string {
  const writer = randomBytes(8).toString("hex");
  return /^0+$/.test(writer) ? newWriter() : writer;
}
