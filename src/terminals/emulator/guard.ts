// Sequences that xterm does not survive, or that cost far more than their length: caught before they do harm.
import type { Terminal } from "@xterm/headless";
import { coreOf, type Core } from "./xterm-internals.ts";

// Of one cell: more than any script needs, and a program could add to one for ever.
const mostCharacters = 32;
const smallBytes = 4_096;
const mostRepeated = 16_384;

/** @param onDisturbed told when something was done otherwise than xterm alone would have done it */
export function guard(terminal: Terminal, onDisturbed: () => void): void {
  const core = coreOf(terminal);
  terminal.parser.registerCsiHandler({ final: "J" }, (parameters) => {
    if (parameters[0] !== 1 || !wouldFail(core, terminal.cols)) return false;
    eraseAbove(core);
    onDisturbed();
    return true;
  });
  terminal.parser.registerCsiHandler({ final: "b" }, (parameters) => {
    const [count] = parameters;
    const isCheap = characterBefore(core).length * (typeof count === "number" ? count : 1) <= mostRepeated;
    if (!isCheap) onDisturbed();
    return !isCheap;
  });
}

/** Erasing up to the last cell looks at the line after it, and there may be none. */
function wouldFail({ buffers }: Core, columns: number): boolean {
  const { active } = buffers;
  return active.x + 1 >= columns && active.lines.get(active.y + 1) === undefined;
}

function eraseAbove({ buffers, input }: Core): void {
  const { x, y } = buffers.active;
  const { _eraseInBufferLine: eraseInRow, _resetBufferLine: eraseRow } = input;
  eraseInRow.call(input, y, 0, x + 1, true, false);
  for (let row = y - 1; row >= 0; row--) eraseRow.call(input, row, false);
}

function characterBefore({ buffers }: Core): string {
  const { active } = buffers;
  const line = active.lines.get(active.ybase + active.y);
  if (line === undefined || active.x === 0) return "";
  return line.getString(active.x - 1) || (active.x > 1 ? line.getString(active.x - 2) : "");
}

/** Characters that were added to without end are cut. True if one was. */
export function cutCharacters({ buffers }: Core, fedBytes: number): boolean {
  const { active } = buffers;
  const end = active.ybase + active.y;
  // Little can have been written to no more than the line of the cursor and the one it came from.
  const from = fedBytes < smallBytes ? Math.max(0, end - 1) : 0;
  let isCut = false;
  for (let row = from; row <= end; row++) {
    const { _combined: combined = {} } = active.lines.get(row) ?? {};
    for (const column in combined) {
      const characters = combined[column] ?? "";
      if (characters.length <= mostCharacters) continue;
      combined[column] = characters.slice(0, mostCharacters);
      isCut = true;
    }
  }
  return isCut;
}
