// A terminal as its output has drawn it so far: an emulator, the offset it is at, and what viewers are to be told of each step.
import type { TerminalSize } from "../../protocol/terminal-size.ts";
import { Emulator, type Rendered } from "../emulator/emulator.ts";
import { OutputFilter, type FilteredPart } from "../stream/output-filter.ts";
import { shortenRun } from "../stream/plain-run.ts";
import type { Checkpoint, HistoryMark, Missing } from "./checkpoint-file.ts";
import { History } from "./history.ts";

/** Output, as viewers draw it; or undefined when they would not look the same and need a screen. */
export interface Drawn {
  readonly offset: number;
  readonly bytes: Uint8Array | undefined;
}

export interface ScreenEvents {
  /** To be typed into the program. */
  readonly onAnswer: (text: string, offset: number) => void;
  readonly onDrawn: (drawn: Drawn) => void;
}

export type ScreenStart = Pick<Checkpoint, "offset" | "columns" | "rows"> &
  Partial<Pick<Checkpoint, "state" | "history" | "missing">>;

// One step of the filter: a few milliseconds of drawing.
const stepBytes = 65_536;
const lineFeed = 0x0a;

export class Screen {
  readonly #emulator: Emulator;
  readonly #events: ScreenEvents;
  readonly #history = new History();
  #filter = new OutputFilter();
  #waiting: FilteredPart[] = [];
  #offset: number;
  #drawnFrom = 0;
  #missing: Missing | undefined;

  constructor(start: ScreenStart, events: ScreenEvents) {
    this.#offset = start.offset;
    this.#missing = start.missing;
    this.#events = events;
    let isRestored = start.state === undefined;
    this.#emulator = new Emulator(start, (text) => {
      if (isRestored) events.onAnswer(text, this.#drawnFrom);
    });
    if (start.state !== undefined) this.#emulator.feed(start.state);
    isRestored = true;
    for (const { offset, line } of start.history ?? [])
      this.#history.note(offset, () => this.#emulator.markLine(line));
  }

  /** Everything before it is drawn. */
  get offset(): number {
    return this.#offset;
  }

  /** Everything before it was looked at; the rest is the beginning of a sequence. */
  get readTo(): number {
    return this.#offset + (this.isBehind ? 0 : this.#filter.heldBytes);
  }

  get size(): TerminalSize {
    return this.#emulator.size;
  }

  get title(): string {
    return this.#emulator.title;
  }

  get missing(): Missing | undefined {
    return this.#missing;
  }

  /** Some of what was pushed is still to be drawn. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** From here on it could be drawn by somebody who has not seen what came before. */
  get isBetweenSequences(): boolean {
    return !this.#filter.isInsideOverlong;
  }

  /** Takes bytes that follow those before; they are drawn by `draw`. */
  push(bytes: Uint8Array): void {
    let rest = bytes;
    const lines = this.#filter.heldBytes === 0 && !this.isBehind ? this.#emulator.linesUntilNew : undefined;
    const short = lines === undefined ? undefined : shortenRun(bytes, lines);
    if (short !== undefined) {
      this.#waiting.push({
        rawBytes: short.skippedBytes,
        emulator: short.instead,
        viewers: short.instead,
      });
      rest = bytes.subarray(short.skippedBytes);
    }
    for (let at = 0; at < rest.length; at += stepBytes)
      this.#waiting.push(...this.#filter.push(rest.subarray(at, at + stepBytes)));
  }

  /** Until this moment of the clock, or until nothing waits; one step at least. */
  draw(until: number): void {
    do {
      const part = this.#waiting.shift();
      if (part === undefined) return;
      this.#drawPart(part);
    } while (performance.now() < until);
  }

  resize(size: TerminalSize): void {
    const { columns, rows } = this.size;
    if (columns !== size.columns || rows !== size.rows) this.#emulator.resize(size);
  }

  /** Output that nobody has any more: what it drew is not known, so nothing is. */
  skip(missing: Missing): void {
    this.#filter = new OutputFilter();
    this.#waiting = [];
    this.#history.clear();
    this.#emulator.reset();
    this.#missing = missing;
    this.#offset = missing.to;
  }

  state(): Uint8Array {
    return Buffer.from(this.#emulator.state());
  }

  render(): Rendered {
    return this.#emulator.render();
  }

  get oldestLine(): HistoryMark {
    return this.#history.oldest;
  }

  get history(): HistoryMark[] {
    return this.#history.all;
  }

  dispose(): void {
    this.#emulator.dispose();
  }

  #drawPart({ rawBytes, emulator, viewers }: FilteredPart): void {
    const from = this.#offset;
    this.#drawnFrom = from;
    this.#offset += rawBytes;
    const isDisturbed = this.#emulator.feed(emulator);
    const lineEnd = emulator.lastIndexOf(lineFeed);
    if (lineEnd >= 0) {
      const lineStart = this.#offset - (emulator.length - lineEnd - 1);
      this.#history.note(lineStart, () => this.#emulator.markLine());
    }
    // Of a shortened run only its end is told, at its place.
    const offset = Math.max(from, this.#offset - viewers.length);
    this.#events.onDrawn({ offset, bytes: isDisturbed ? undefined : viewers });
  }
}
