// The cursor that a program saved, to come back to: its column, colours and character set. Its row is the one it is told on.
import type { ScreenBuffer } from "../emulator/xterm-internals.ts";
import { sgrOf } from "./attributes.ts";
import { useCharset } from "./charsets.ts";

function isUnsaved({ savedX, savedY, savedCurAttrData: saved, savedCharset }: ScreenBuffer): boolean {
  return savedX === 0 && savedY === 0 && saved.fg === 0 && saved.bg === 0 && savedCharset === undefined;
}

/** At the beginning of its row; leaves everything as it was. */
export function savedCursorOf(buffer: ScreenBuffer, columns: number): string {
  if (isUnsaved(buffer)) return "";
  const { savedX, savedCurAttrData: saved, savedCharset } = buffer;
  const place = `\u001b[${Math.min(savedX, columns - 1) + 1}G`;
  const back = savedCharset === undefined ? "" : "\u001b(B";
  return `${place}${sgrOf(saved)}${useCharset(savedCharset)}\u001b7${back}\u001b[m\r`;
}

/** Each buffer has one; that of the alternate screen stays while it is away. */
export function otherSavedCursor(
  alternate: ScreenBuffer,
  { columns, rows }: { columns: number; rows: number },
): string {
  if (isUnsaved(alternate)) return "";
  const row = Math.min(Math.max(alternate.savedY - alternate.ybase, 0), rows - 1);
  return `\u001b[?47h\u001b[${row + 1}H${savedCursorOf(alternate, columns)}\u001b[?47l\u001b[H`;
}
