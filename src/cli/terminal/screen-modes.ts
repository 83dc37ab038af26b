// What a program has switched on in the terminal it is shown in: mouse reports, the alternate screen, a hidden cursor.
// A program that is left, or killed, does not switch it off again; whoever shows it must.

// Modes that are on in a terminal nobody has touched: line wrap, cursor.
const onByDefault = new Set(["7", "25"]);
// The alternate screen in its three forms: last, so that everything else is undone where it was done.
const screens = new Set(["47", "1047", "1049"]);
// A sequence may come in two parts; none of these is longer.
const mostSequenceBytes = 64;
// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const sequences = /\u001b\[\?([0-9;]+)([hl])|\u001b([=>c])|\u001b\[([<>])[0-9;]*u/g;

export class ScreenModes {
  readonly #modes = new Map<string, boolean>();
  #keypad = false;
  #kittyLevels = 0;
  #tail = "";

  watch(bytes: Uint8Array): void {
    const text = this.#tail + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    let done = 0;
    for (const match of text.matchAll(sequences)) {
      this.#apply(match);
      done = match.index + match[0].length;
    }
    this.#tail = text.slice(Math.max(done, text.length - mostSequenceBytes));
  }

  get isAlternateScreen(): boolean {
    return [...screens].some((mode) => this.#modes.get(mode) === true);
  }

  /** Brings an untouched terminal to where the program believes it is. */
  enter(): string {
    return this.#changed(true);
  }

  /** Brings the terminal back. Empty when nothing was switched. */
  leave(): string {
    const keypad = this.#keypad ? "\u001b>" : "";
    return this.#changed(false) + keypad + "\u001b[<u".repeat(this.#kittyLevels);
  }

  #apply([whole, numbers = "", final, single, stack]: RegExpExecArray): void {
    if (whole === "\u001bc") {
      this.#modes.clear();
      this.#kittyLevels = 0;
      this.#keypad = false;
    } else if (single !== undefined) this.#keypad = single === "=";
    else if (stack !== undefined)
      this.#kittyLevels = Math.max(0, this.#kittyLevels + (stack === ">" ? 1 : -1));
    else for (const mode of numbers.split(";")) this.#modes.set(mode, final === "h");
  }

  #changed(asProgram: boolean): string {
    const changed = [...this.#modes].filter(([mode, isOn]) => isOn !== onByDefault.has(mode));
    // Mode 2026 (synchronized output) and 12 (blinking cursor) end by themselves or hurt nobody.
    const ours = changed.filter(([mode]) => mode !== "2026" && mode !== "12");
    const ordered = ours.toSorted(([a], [b]) => Number(screens.has(a)) - Number(screens.has(b)));
    const list = asProgram ? ordered.toReversed() : ordered;
    return list.map(([mode, isOn]) => `\u001b[?${mode}${isOn === asProgram ? "h" : "l"}`).join("");
  }
}
