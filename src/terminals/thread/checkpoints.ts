// When the screen of a process is kept in its checkpoint: while much is written, now and then; and when it becomes quiet.
import { writeCheckpoint, type Checkpoint } from "./checkpoint-file.ts";

// Drawing so much again takes some 100 ms.
const everyBytes = 2 * 1_048_576;
const everyMs = 250;
// What is less is drawn again faster than it is kept.
const quietBytes = 65_536;
const quietMs = 1_000;

export interface CheckpointOptions {
  readonly directory: string;
  /** Undefined: not now. */
  readonly take: () => Checkpoint | undefined;
  /** Resolves when what the checkpoint counts has happened. */
  readonly settle: () => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

export class Checkpoints {
  readonly #options: CheckpointOptions;
  #offset: number | undefined;
  #at = 0;
  #writing: Promise<boolean> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param offset of the one there is */
  constructor(options: CheckpointOptions, offset: number | undefined) {
    this.#options = options;
    this.#offset = offset;
  }

  /** The screen is at this offset now. */
  advanced(offset: number): void {
    const bytes = offset - (this.#offset ?? 0);
    if (bytes >= everyBytes && performance.now() - this.#at >= everyMs) void this.keep(offset);
    clearTimeout(this.#quiet);
    if (bytes < quietBytes || this.#isClosed) return;
    this.#quiet = setTimeout(() => void this.keep(offset), quietMs);
    this.#quiet.unref();
  }

  /** True: the screen up to this offset is kept. */
  async keep(offset: number): Promise<boolean> {
    if (this.#writing !== undefined && !(await this.#writing)) return false;
    if (this.#isClosed) return false;
    if (this.#offset === offset) return true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return (await this.#writing) && (this.#offset ?? 0) >= offset;
  }

  /** Keeps what would take long to draw again; nothing is written after that. */
  async close(offset: number | undefined): Promise<void> {
    clearTimeout(this.#quiet);
    if (offset !== undefined && offset - (this.#offset ?? 0) >= quietBytes) await this.keep(offset);
    await this.abandon();
  }

  /** Nothing is written any more: the process is removed. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    await this.#writing;
  }

  async #write(): Promise<boolean> {
    const { directory, take, settle, onProblem } = this.#options;
    const checkpoint = take();
    if (checkpoint === undefined) return false;
    this.#at = performance.now();
    try {
      await settle();
      const isWritten = await writeCheckpoint(directory, checkpoint);
      if (isWritten) this.#offset = checkpoint.offset;
      return isWritten;
    } catch (error) {
      onProblem(error);
      return false;
    }
  }
}
