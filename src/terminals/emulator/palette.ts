// Colours that a program has changed: an emulator without a screen only passes them on, and whoever comes later must get them too.
import type { ColorChange } from "./xterm-internals.ts";

const firstSpecial = 256;
const set = 1;
const restore = 2;

export class Palette {
  readonly #colors = new Map<number, readonly [number, number, number]>();

  change(changes: readonly ColorChange[]): void {
    for (const { type, index, color } of changes) {
      if (type === set && index !== undefined && color !== undefined) this.#colors.set(index, color);
      if (type === restore && index !== undefined) this.#colors.delete(index);
      // Without an index: all that have a number; text, background and cursor have their own.
      if (type === restore && index === undefined)
        for (const number of this.#colors.keys()) if (number < firstSpecial) this.#colors.delete(number);
    }
  }

  /** As the sequences that change them. */
  get sequences(): string {
    return [...this.#colors].map(([index, color]) => sequenceOf(index, color)).join("");
  }
}

function sequenceOf(index: number, color: readonly [number, number, number]): string {
  const what = index < firstSpecial ? `4;${index}` : String(10 + index - firstSpecial);
  return `\u001b]${what};rgb:${color.map((part) => part.toString(16).padStart(2, "0")).join("/")}\u001b\\`;
}
