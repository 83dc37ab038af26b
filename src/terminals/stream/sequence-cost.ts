// What a sequence costs an emulator, far beyond its length: lines that are moved, screens that are filled. A stream of them is cut where
// enough has come together, so that one terminal never holds up the others for long.
import type { ControlSequence } from "../../util/escape-scanner.ts";

const screenCost = 8;
const code = (letter: string): number => letter.charCodeAt(0);
const linesMoved = new Set(Array.from("LMST", code));
const columnsMoved = new Set(Array.from("@A}~", code));
const otherScreen = new Set([3, 47, 1047, 1049]);
const question = code("?");

/** In no unit: about 0.02 ms each on a screen of common size. */
export function costOf(sequence: ControlSequence, mostLines: number): number {
  const { prefix, intermediates, final, firstParameter } = sequence;
  if (linesMoved.has(final)) return Math.min(Math.max(firstParameter, 1), mostLines);
  if (final === code("J")) return screenCost;
  if (final === code("b")) return firstParameter >> 6;
  if (intermediates !== 0 && columnsMoved.has(final)) return screenCost * 2;
  return prefix === question && otherScreen.has(firstParameter) ? screenCost : 0;
}

/** Of ESC with what follows it. */
export function costOfEscape(bytes: Uint8Array): number {
  const last = bytes.at(-1);
  if (last === code("c")) return screenCost * 2;
  if (last === code("M") || last === code("D")) return 1;
  return bytes[1] === code("#") ? screenCost : 0;
}
