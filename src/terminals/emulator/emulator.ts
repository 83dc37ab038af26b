// One terminal emulator. It is fed whole sequences only, so that its state can be told at any time, and answers what programs ask.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import type { TerminalSize } from "../../protocol/terminal-size.ts";
import { serialise } from "../state/serialise.ts";
import { cutCharacters, guard } from "./guard.ts";
import { Palette } from "./palette.ts";
import { coreOf, type Core } from "./xterm-internals.ts";

/** Lines above the screen: enough to look back a little at once; everything else is read from the output itself. */
export const scrollbackLines = 1_000;

export interface Rendered {
  readonly lines: readonly string[];
  /** For each line: it goes on from the one before it, where the screen was not wide enough. */
  readonly wrapped: readonly boolean[];
  /** Both count from 1. */
  readonly cursor: { readonly line: number; readonly column: number; readonly isVisible: boolean };
  readonly isAlternate: boolean;
  readonly modes: {
    readonly bracketedPaste: boolean;
    readonly applicationCursor: boolean;
    readonly mouse: "none" | "x10" | "vt200" | "drag" | "any";
  };
}

export class Emulator {
  readonly #terminal: xterm.Terminal;
  readonly #core: Core;
  readonly #palette = new Palette();
  #isDisturbed = false;

  /** @param onAnswer told what is to be typed into the program */
  constructor(size: TerminalSize, onAnswer: (answer: string) => void) {
    this.#terminal = new xterm.Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      // What a program writes is not ours to log.
      logLevel: "off",
    });
    // Viewers use the same, so that both give every character the same width.
    this.#terminal.loadAddon(new UnicodeGraphemesAddon());
    this.#core = coreOf(this.#terminal);
    this.#core.input.onColor((changes) => this.#palette.change(changes));
    guard(this.#terminal, () => {
      this.#isDisturbed = true;
    });
    this.#terminal.onData(onAnswer);
  }

  get size(): TerminalSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** As the program set it: any text, as long as a sequence may be. */
  get title(): string {
    const { _windowTitle: title } = this.#core.input;
    return title;
  }

  /** Whole sequences and characters. True: a viewer that is fed the same would not look the same, and needs a screen. */
  feed(bytes: Uint8Array): boolean {
    this.#isDisturbed = false;
    try {
      this.#core.input.parse(bytes);
      if (cutCharacters(this.#core, bytes.length)) this.#isDisturbed = true;
    } catch {
      // A fault of xterm's own; what came after it in these bytes is lost to it, and nothing else.
      const { _parser: parser } = this.#core.input;
      parser.reset();
      this.#isDisturbed = true;
    }
    return this.#isDisturbed;
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
  }

  reset(): void {
    this.#terminal.reset();
    // Not done by a reset: see modes.ts.
    this.feed(Buffer.from("\u001b[20l\u001b[?25h\u001b[?12l\u001b]2;\u0007\u001b]1;\u0007"));
  }

  /** Written to an emulator that was reset and has this size, it makes it the same. */
  state(): string {
    return serialise(this.#terminal, this.#palette.sequences);
  }

  render(): Rendered {
    const { active } = this.#terminal.buffer;
    const { modes } = this.#terminal;
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
    while (lines.at(-1) === "") lines.pop();
    return {
      lines,
      wrapped: lines.map((_, row) => row > 0 && active.getLine(active.baseY + row)?.isWrapped === true),
      cursor: {
        line: active.cursorY + 1,
        column: Math.min(active.cursorX + 1, this.#terminal.cols),
        isVisible: !this.#core.coreService.isCursorHidden,
      },
      isAlternate: active.type === "alternate",
      modes: {
        bracketedPaste: modes.bracketedPasteMode,
        applicationCursor: modes.applicationCursorKeysMode,
        mouse: modes.mouseTrackingMode,
      },
    };
  }

  /** After so many line feeds nothing is left of what was there before; undefined while that cannot be said. */
  get linesUntilNew(): number | undefined {
    const { active } = this.#core.buffers;
    const isWhole = active.scrollTop === 0 && active.scrollBottom === this.#terminal.rows - 1;
    return isWhole ? active.lines.maxLength + this.#terminal.rows + 1 : undefined;
  }

  /** Follows a line of the normal screen: one counted from its oldest, or the one the cursor is on, at the beginning of its text. */
  markLine(line?: number): xterm.IMarker | undefined {
    const { active } = this.#terminal.buffer;
    if (active.type === "alternate") return undefined;
    const cursor = active.baseY + active.cursorY;
    let wanted = line ?? cursor;
    if (line === undefined) while (wanted > 0 && active.getLine(wanted)?.isWrapped === true) wanted -= 1;
    return this.#terminal.registerMarker(wanted - cursor);
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
