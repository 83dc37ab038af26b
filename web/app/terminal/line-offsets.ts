// Which line of an emulator came from where in the output. What is older than they are lies on the disk of the daemon, and is found from there.
import type { IMarker, Terminal } from "@xterm/xterm";

/** A line, counted from the oldest one that is loaded, and about where it begins in the output. */
export interface LineOffset {
  readonly offset: number;
  readonly line: number;
}

// Close enough to find a line again, far enough apart to be few.
const everyBytes = 4_096;

export class LineOffsets {
  readonly #terminal: Terminal;
  #marks: { readonly offset: number; readonly marker: IMarker }[] = [];
  /** For when no line that is marked is left. */
  #known: LineOffset = { offset: 0, line: 0 };
  #noted = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** All lines are new; this is what is known of one of them. */
  restart(known: LineOffset): void {
    for (const { marker } of this.#marks.splice(0)) marker.dispose();
    this.#known = known;
    this.#mark(known);
  }

  /** The line the cursor is on came from about here. */
  note(offset: number): void {
    if (offset - this.#noted < everyBytes) return;
    const { baseY, cursorY } = this.#terminal.buffer.active;
    this.#mark({ offset, line: baseY + cursorY });
  }

  /** Of what is loaded, the oldest line of which it is known. */
  get oldest(): LineOffset {
    this.#forgetGone();
    const [first] = this.#marks;
    return first === undefined ? this.#known : { offset: first.offset, line: first.marker.line };
  }

  #mark({ offset, line }: LineOffset): void {
    this.#noted = offset;
    const { active } = this.#terminal.buffer;
    // The other screen has no history.
    if (active.type === "alternate") return;
    this.#forgetGone();
    this.#marks.push({ offset, marker: this.#terminal.registerMarker(line - active.baseY - active.cursorY) });
  }

  #forgetGone(): void {
    const first = this.#marks.findIndex(({ marker }) => !marker.isDisposed);
    this.#marks.splice(0, first < 0 ? this.#marks.length : first);
  }
}
