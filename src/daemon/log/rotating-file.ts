// A file that goes on in a new one when it is full: PATH, PATH.1 (the one before), … A line stands whole in one file. Everything is
// synchronous: an entry about the end of the daemon is in the file before the end comes. Only whoever holds the home's lock may use it.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

export interface RotatingFileOptions {
  readonly path: string;
  /** How many there are at most, the present one counted. */
  readonly files: number;
  /** A file is not made longer than this, unless one line alone is. */
  readonly fileBytes: number;
}

interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  sizeBytes: number;
}

// A file that somebody moved or removed takes lines nobody will read; a rotation that failed is not tried for every line.
const lookIntervalMs = 1_000;

export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #file: OpenFile | undefined;
  #lookedAtMs = 0;
  #rotateAfterMs = 0;
  #rotationProblem: string | undefined;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Why the file has become longer than it should be; undefined when it has not. */
  get rotationProblem(): string | undefined {
    return this.#rotationProblem;
  }

  /** The whole line or, when it throws, nothing of it. @throws what the file system says: full, read-only, gone */
  append(line: string): void {
    const bytes = Buffer.from(line);
    const file = this.#ready(bytes.length);
    const begin = file.sizeBytes;
    try {
      while (file.sizeBytes < begin + bytes.length)
        file.sizeBytes += writeSync(file.descriptor, bytes, file.sizeBytes - begin);
    } catch (error) {
      this.#takeBack(file, begin);
      throw error;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  /** The file that the next so many bytes go to. */
  #ready(bytes: number): OpenFile {
    const nowMs = performance.now();
    if (this.#file !== undefined && nowMs - this.#lookedAtMs > lookIntervalMs) {
      this.#lookedAtMs = nowMs;
      if (inodeAt(this.#options.path) !== this.#file.inode) this.close();
    }
    const file = (this.#file ??= openForAppend(this.#options.path));
    const isFull = file.sizeBytes > 0 && file.sizeBytes + bytes > this.#options.fileBytes;
    if (!isFull || nowMs < this.#rotateAfterMs) return file;
    try {
      this.#rotate();
      this.#rotationProblem = undefined;
    } catch (error) {
      // A longer file is better than a lost line.
      this.#rotateAfterMs = nowMs + lookIntervalMs;
      this.#rotationProblem = `${this.#options.path} cannot go on in a new file: ${String(error)}`;
      return file;
    }
    return (this.#file = openForAppend(this.#options.path));
  }

  /** From the oldest on, so that a kill in between leaves a number without a file, never two files for one number. */
  #rotate(): void {
    const { path, files } = this.#options;
    const nameOf = (number: number): string => (number === 0 ? path : `${path}.${number}`);
    // The number without a file that a kill left, else the last: its file is replaced.
    let free = 1;
    while (free < files - 1 && existsSync(nameOf(free))) free += 1;
    // Removed, not emptied: whoever reads it still reads its end.
    if (files === 1) rmSync(path);
    else for (let number = free; number > 0; number -= 1) renameSync(nameOf(number - 1), nameOf(number));
    // Of a time when more were kept.
    for (let number = files; existsSync(nameOf(number)); number += 1) rmSync(nameOf(number));
    this.close();
  }

  /** A part of a line must not stay: the next one would be written onto it. */
  #takeBack(file: OpenFile, begin: number): void {
    try {
      ftruncateSync(file.descriptor, begin);
    } catch {
      // Then it is mended when the file is opened again.
    }
    this.close();
  }
}

function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function openForAppend(path: string): OpenFile {
  const descriptor = openSync(path, "a+", 0o600);
  try {
    const { ino, size, mode } = fstatSync(descriptor);
    if ((mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600);
    const mended = size > 0 && !endsLine(descriptor, size) ? writeSync(descriptor, "\n") : 0;
    return { descriptor, inode: ino, sizeBytes: size + mended };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Not so when whoever wrote last was killed in the middle. */
function endsLine(descriptor: number, sizeBytes: number): boolean {
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, sizeBytes - 1);
  return last.toString() === "\n";
}
