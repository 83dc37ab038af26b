// Which line of the buffer came from where in the output: what is older than the buffer is read from the output, from there backwards.
import type { HistoryMark } from "./checkpoint-file.ts";

/** A line that is followed while others scroll by; -1 once it is gone. */
export interface LineMarker {
  readonly line: number;
  dispose(): void;
}

// Close enough to find a line again, far enough apart to be few.
const everyBytes = 4_096;

export class History {
  readonly #marks: { readonly offset: number; readonly marker: LineMarker }[] = [];

  /** The line the cursor is on begins at this offset, or a little before. */
  note(offset: number, markLine: () => LineMarker | undefined): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && offset - last.offset < everyBytes) return;
    const marker = markLine();
    if (marker !== undefined) this.#marks.push({ offset, marker });
  }

  /** The oldest line of which it is known; without any, everything is in the buffer. */
  get oldest(): HistoryMark {
    this.#forgetGone();
    const [mark] = this.#marks;
    return mark === undefined ? { offset: 0, line: 0 } : { offset: mark.offset, line: mark.marker.line };
  }

  get all(): HistoryMark[] {
    this.#forgetGone();
    return this.#marks.map(({ offset, marker }) => ({ offset, line: marker.line }));
  }

  clear(): void {
    for (const { marker } of this.#marks.splice(0)) marker.dispose();
  }

  #forgetGone(): void {
    const first = this.#marks.findIndex(({ marker }) => marker.line >= 0);
    this.#marks.splice(0, first < 0 ? this.#marks.length : first);
  }
}
