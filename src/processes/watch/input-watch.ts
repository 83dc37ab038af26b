// Tells when the program in a terminal waits for somebody to type, once for each wait. Looked at when its output has been
// quiet for a moment after output or input, and now and then besides: a program may stop to read without a word.
import { watch, type FSWatcher } from "node:fs";
import type { KeptProcess } from "../../keeper/index.ts";
import type { InputWait } from "../../protocol/process.ts";
import { inputWait } from "../inspect/input-wait.ts";
import { isQuietPrompt } from "../inspect/quiet-prompt.ts";
import { treeOf } from "../inspect/tree-usage.ts";
import { outputEnd } from "../output/find-lines.ts";
import { plainText } from "../output/plain-text.ts";
import { readRange } from "../output/read-range.ts";

// A little longer than a prompt must be quiet to be taken for one.
const quietMs = 600;
// Between two looks without a reason, longer each time.
const longestPauseMs = 10_000;
const lineBytes = 4_096;

export interface ToldInput {
  readonly toldAt: number;
  readonly offset: number;
}

export interface FoundInput {
  readonly wait: InputWait;
  /** What stands before the cursor. */
  readonly line: string;
  /** Where the output ends. */
  readonly offset: number;
}

export interface InputWatchOptions {
  readonly directory: string;
  readonly pid: number;
  readonly kept: KeptProcess;
  /** The last wait that was told. */
  readonly told: () => ToldInput | null;
  /** A wait that nobody answered is told again no sooner. */
  readonly windowMs: () => number;
  /** Resolves when it is stored. */
  readonly tell: (found: FoundInput) => Promise<void>;
  readonly report: (error: unknown) => void;
}

export class InputWatch {
  readonly #options: InputWatchOptions;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookAtMs = Infinity;
  #lastChangeMs = 0;
  #pauseMs = quietMs;
  #isAnswered = false;
  /** Since the last wait was told it was seen to do something else. */
  #hasMoved = false;
  #isClosed = false;

  constructor(options: InputWatchOptions) {
    this.#options = options;
    this.#watcher = watchFolder(options.directory, () => this.#changed());
    this.#changed();
  }

  /** Somebody typed: the next wait is another one. */
  inputGiven(): void {
    this.#isAnswered = true;
    this.#changed();
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  #changed(): void {
    this.#lastChangeMs = performance.now();
    this.#pauseMs = quietMs;
    this.#arm(quietMs);
  }

  #arm(ms: number): void {
    const atMs = performance.now() + ms;
    if (this.#isClosed || atMs >= this.#lookAtMs) return;
    clearTimeout(this.#timer);
    this.#lookAtMs = atMs;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    this.#lookAtMs = Infinity;
    try {
      const leftMs = this.#lastChangeMs + quietMs - performance.now();
      if (leftMs > 0) return this.#arm(leftMs);
      const wait = await this.#wait();
      if (this.#isClosed) return;
      if (wait.waits === "no") this.#hasMoved = true;
      else if (wait.waits !== "unknown") await this.#found(wait);
    } catch (error) {
      if (!this.#isClosed) this.#options.report(error);
    }
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    this.#arm(this.#pauseMs);
  }

  async #wait(): Promise<InputWait> {
    const { kept, pid, directory } = this.#options;
    const { terminal } = await kept.state();
    if (terminal === undefined) return { waits: "unknown", guess: false };
    return await inputWait(await treeOf(pid), {
      ...terminal,
      isQuietPrompt: await isQuietPrompt(directory),
    });
  }

  async #found(wait: InputWait): Promise<void> {
    const { directory, told, windowMs, tell } = this.#options;
    const offset = await outputEnd(directory);
    const before = told();
    if (before !== null) {
      if (!(await this.#isAnother(before, offset))) return;
      if (!this.#isAnswered && Date.now() < before.toldAt + windowMs()) return;
    }
    this.#isAnswered = false;
    this.#hasMoved = false;
    await tell({ wait, line: await lastLine(directory, offset), offset });
  }

  /** What is typed is shown and is no new wait; a line that ended since is. */
  async #isAnother(before: ToldInput, offset: number): Promise<boolean> {
    if (offset <= before.offset) return this.#hasMoved && this.#isAnswered;
    if (this.#hasMoved || offset - before.offset > lineBytes) return true;
    const { directory } = this.#options;
    const { parts } = await readRange(directory, { from: before.offset, to: offset, mostBytes: lineBytes });
    return parts.some(({ bytes }) => bytes.includes(0x0a));
  }
}

function watchFolder(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, (_kind, name) => {
      if (name === null || name.endsWith(".log")) onChange();
    });
    return watcher.on("error", () => watcher.close()); // its directory went
  } catch {
    return undefined; // ended and removed meanwhile
  }
}

async function lastLine(directory: string, end: number): Promise<string> {
  const from = Math.max(0, end - lineBytes);
  // A part that was dropped under us costs the line, not the notice.
  const range = await readRange(directory, { from, to: end, mostBytes: lineBytes }).catch(() => undefined);
  const text = plainText(Buffer.concat((range?.parts ?? []).map(({ bytes }) => bytes)).toString());
  return text.split("\n").findLast((line) => line.trim() !== "") ?? "";
}
