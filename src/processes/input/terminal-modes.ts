// Which modes a program has asked its terminal for, as far as typing is concerned: found in what it wrote.
import { outputEnd } from "../output/find-lines.ts";
import { readRange } from "../output/read-range.ts";

export interface TerminalModes {
  /** Arrow keys as ESC O A instead of ESC [ A. */
  readonly applicationCursor: boolean;
  readonly bracketedPaste: boolean;
}

const stepBytes = 262_144;
// Programs set modes when they start and take them back when they end; further back than this it is another program's doing.
const farthestBytes = 8_388_608;
// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const setOrReset = /\u001b\[\?([0-9;]+)([hl])|\u001bc/g;

/** The newest state of each wanted mode in a text; undefined where it does not say. */
export function modesIn(text: string): { cursor: boolean | undefined; paste: boolean | undefined } {
  let cursor: boolean | undefined;
  let paste: boolean | undefined;
  for (const [whole, numbers, final] of text.matchAll(setOrReset)) {
    const isReset = whole === "\u001bc";
    const modes = isReset ? ["1", "2004"] : (numbers ?? "").split(";");
    if (modes.includes("1")) cursor = !isReset && final === "h";
    if (modes.includes("2004")) paste = !isReset && final === "h";
  }
  return { cursor, paste };
}

/** Reads backwards until every mode is known. */
export async function terminalModes(directory: string): Promise<TerminalModes> {
  const end = await outputEnd(directory);
  let cursor: boolean | undefined;
  let paste: boolean | undefined;
  // A sequence may lie across two steps: each reads a little of the one after it.
  const overlapBytes = 64;
  for (
    let to = end;
    to > Math.max(0, end - farthestBytes) && (cursor === undefined || paste === undefined);
    to -= stepBytes
  ) {
    const from = Math.max(0, to - stepBytes);
    const range = await readRange(directory, {
      from,
      to: Math.min(end, to + overlapBytes),
      mostBytes: stepBytes + overlapBytes,
    }).catch(
      () => undefined, // dropped: nothing older can be known
    );
    if (range === undefined) break;
    const found = modesIn(Buffer.concat(range.parts.map((part) => part.bytes)).toString("latin1"));
    cursor ??= found.cursor;
    paste ??= found.paste;
  }
  return { applicationCursor: cursor ?? false, bracketedPaste: paste ?? false };
}
