// Where the lines of the log go: to the file once the home is ours, and to standard error. A file that takes nothing (full disk,
// read-only home) is tried again every second; until then the newest lines wait in memory.
import type { ErrorOutput } from "./error-output.ts";
import { RotatingFile, type RotatingFileOptions } from "./rotating-file.ts";

const retryMs = 1_000;
// Enough for what led to the trouble, little enough to forget about.
const mostWaitingCharacters = 262_144;

export interface LogOutputOptions {
  readonly errorOutput: ErrorOutput;
  /** Told, when the file takes lines again, how many are in it nowhere. */
  readonly onRecovered: (lost: number) => void;
}

export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  #lost = 0;
  #file: RotatingFile | undefined;
  #failure: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LogOutputOptions) {
    this.#options = options;
  }

  /** Why lines are not where they should be, in words. */
  get problems(): readonly string[] {
    return [this.#failure, this.#file?.rotationProblem].filter((problem) => problem !== undefined);
  }

  /** Never throws: a log that cannot be written must not end what it tells about. */
  write(line: string): void {
    this.#options.errorOutput.show(line);
    this.#wait(line);
    // While it fails, the timer tries: a full disk is not asked for every line.
    if (this.#file !== undefined && this.#failure === undefined) this.#drain();
  }

  /** What was said so far goes to the file, and everything from now on; to the one it has begun with, if it has. */
  begin(options: RotatingFileOptions): void {
    this.#file ??= new RotatingFile(options);
    this.#drain();
  }

  /** The file is left alone from here on, after a last try for what still waits. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#file !== undefined) this.#drain();
    clearTimeout(this.#timer);
    this.#file?.close();
    this.#file = undefined;
    this.#failure = undefined;
  }

  #wait(line: string): void {
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    while (this.#waitingCharacters > mostWaitingCharacters && this.#waiting.length > 1) {
      this.#waitingCharacters -= this.#waiting.shift()?.length ?? 0;
      this.#lost += 1;
    }
  }

  #drain(): void {
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
        this.#file?.append(line);
        this.#waiting.shift();
        this.#waitingCharacters -= line.length;
      }
    } catch (error) {
      this.#failure = `The log cannot be written: ${error instanceof Error ? error.message : String(error)}`;
      this.#timer = setTimeout(() => this.#drain(), retryMs).unref();
      return;
    }
    if (this.#failure === undefined) return;
    const lost = this.#lost;
    this.#failure = undefined;
    this.#lost = 0;
    this.#options.onRecovered(lost);
  }
}
