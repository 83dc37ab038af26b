// What a terminal was like at an offset of its output, in the file `screen` of its run directory: whoever comes later begins there instead
// of at the first byte. It may be missing, old or damaged; then more of the output is drawn again.
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface Missing {
  readonly from: number;
  readonly to: number;
}

/** A line of the buffer, from its oldest, that begins near an offset. */
export interface HistoryMark {
  readonly offset: number;
  readonly line: number;
}

export interface Checkpoint {
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
  /** When the size was last changed, since the start; changes up to then are in the state. */
  readonly resizedUs: number;
  /** Who types answers, and how many bytes of them there were: a repeated one is recognised by both. */
  readonly writer: string;
  readonly answeredBytes: number;
  readonly history: readonly HistoryMark[];
  readonly missing?: Missing | undefined;
  readonly state: Uint8Array;
}

const fileName = "screen";
const version = 1;
const newline = 0x0a;

/** Atomic; mode 0600. False: the run was removed. @throws what else the file system says */
export async function writeCheckpoint(directory: string, { state, ...head }: Checkpoint): Promise<boolean> {
  const path = join(directory, fileName);
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, "w", 0o600);
    try {
      await file.writev([Buffer.from(`${JSON.stringify({ version, ...head })}\n`), state]);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    await rm(temporary, { force: true }).catch(() => undefined); // what is wrong is told already
    throw error;
  }
}

/** Undefined when there is none that can be used. */
export async function readCheckpoint(directory: string): Promise<Checkpoint | undefined> {
  const bytes = await readFile(join(directory, fileName)).catch(() => undefined); // none, or none for us
  const end = bytes?.indexOf(newline) ?? -1;
  if (bytes === undefined || end < 0) return undefined;
  const head = parseHead(bytes.toString("utf8", 0, end));
  return head === undefined ? undefined : { ...head, state: bytes.subarray(end + 1) };
}

function parseHead(text: string): Omit<Checkpoint, "state"> | undefined {
  try {
    const { version: found, ...head } = JSON.parse(text) as Partial<Checkpoint> & { version?: number }; // checked below
    const numbers = [head.offset, head.columns, head.rows, head.resizedUs, head.answeredBytes];
    const isWhole =
      found === version &&
      numbers.every((value) => Number.isSafeInteger(value)) &&
      /^[0-9a-f]{16}$/.test(String(head.writer)) &&
      Array.isArray(head.history);
    return isWhole ? (head as Omit<Checkpoint, "state">) : undefined; // all of it was looked at
  } catch {
    return undefined; // half of it, or something else
  }
}
