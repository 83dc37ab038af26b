// One file of the daemon's log, held open: a rotation renames it, and it is still the same file.
import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";

const chunkBytes = 65_536;
// No entry is nearly as long: whatever is has no line ends at all.
const longestLineBytes = 4_194_304;
const lineEnd = 0x0a;

export class LogFile {
  readonly path: string;
  readonly inode: number;
  readonly #descriptor: number;
  /** Where the next unread byte is. */
  #at = 0;
  /** The beginning of a line whose end has not been written yet; it lies just before #at. */
  #partial: Buffer = Buffer.alloc(0);

  private constructor(path: string, descriptor: number, inode: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.inode = inode;
  }

  /** Undefined when there is none. @throws what the file system says otherwise */
  static open(path: string): LogFile | undefined {
    const descriptor = openIfThere(path);
    if (descriptor === undefined) return undefined;
    const found = fstatSync(descriptor);
    if (found.isFile()) return new LogFile(path, descriptor, found.ino);
    closeSync(descriptor);
    return undefined;
  }

  get stats(): Stats {
    return fstatSync(this.#descriptor);
  }

  /** The whole lines that were not read before. */
  *lines(): Generator<string> {
    for (let lines = this.#readLines(); lines !== undefined; lines = this.#readLines()) yield* lines;
  }

  /** What the last writer did not finish; empty when it finished. */
  rest(): string {
    const text = this.#partial.toString();
    this.#partial = Buffer.alloc(0);
    return text;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Undefined at the end of the file. */
  #readLines(): string[] | undefined {
    const { size } = this.stats;
    if (size < this.#at) this.#goBack(size);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(this.#descriptor, chunk, 0, chunkBytes, this.#at);
    if (count === 0) return undefined;
    this.#at += count;
    const bytes = Buffer.concat([this.#partial, chunk.subarray(0, count)]);
    const end = bytes.length > longestLineBytes ? bytes.length : bytes.lastIndexOf(lineEnd) + 1;
    this.#partial = bytes.subarray(end);
    if (end === 0) return [];
    return bytes.subarray(0, end).toString().replace(/\n$/, "").split("\n");
  }

  /** The writer took back a line that the disk had no room for; or somebody emptied the file. */
  #goBack(size: number): void {
    const begin = this.#at - this.#partial.length;
    this.#at = size < begin ? 0 : begin;
    this.#partial = Buffer.alloc(0);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
