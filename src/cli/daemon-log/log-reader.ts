// Reads the daemon's log from its files: no daemon is asked, so it works when that is down or hangs. Follows it over rotations and
// restarts, every line once.
import { basename, dirname } from "node:path";
import { FileChanges } from "./file-changes.ts";
import type { LogFile } from "./log-file.ts";
import { inodeAt, openLogFiles } from "./open-log-files.ts";

export interface LogLine {
  readonly file: string;
  readonly text: string;
}

export interface LogReaderOptions {
  /** Of the newest file. */
  readonly path: string;
  readonly follow: boolean;
  readonly note: (text: string) => void;
}

export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #changes: FileChanges | undefined;
  /** Those that are open, oldest first; the last is the one being written. */
  #files: LogFile[];

  constructor(options: LogReaderOptions) {
    const { path, follow, note } = options;
    this.#options = options;
    // Before the first look: what comes between the two is not missed.
    if (follow) this.#changes = new FileChanges({ directory: dirname(path), prefix: basename(path), note });
    this.#files = openLogFiles(path);
  }

  get isEmpty(): boolean {
    return this.#files.length === 0;
  }

  /** What is there now. */
  *present(): Generator<LogLine> {
    while (this.#files.length > 1) yield* this.#finishOldest();
    yield* this.#newLines();
    const [last] = this.#files;
    const isWaitedFor = this.#changes !== undefined;
    if (last !== undefined && !isWaitedFor) yield* restOf(last);
  }

  /** What comes after it, for ever. */
  async *coming(): AsyncGenerator<LogLine> {
    for (;;) {
      await this.#changes?.next();
      yield* this.#newLines();
      yield* this.#goOn();
    }
  }

  close(): void {
    this.#changes?.close();
    for (const file of this.#files.splice(0)) file.close();
  }

  *#newLines(): Generator<LogLine> {
    const file = this.#files.at(-1);
    if (file !== undefined) for (const text of file.lines()) yield { file: file.path, text };
  }

  /** Follows a rotation: the file that was written so far is read to its end, then all that came after it. */
  *#goOn(): Generator<LogLine> {
    const { path } = this.#options;
    const current = this.#files.at(-1);
    const inode = inodeAt(path);
    if (inode === undefined || inode === current?.inode) return;
    this.#files = [...this.#files, ...this.#newerThan(current)];
    yield* this.present();
  }

  #newerThan(current: LogFile | undefined): LogFile[] {
    const files = openLogFiles(this.#options.path);
    if (current === undefined) return files;
    const position = files.findIndex(({ inode }) => inode === current.inode);
    // Removed, by a rotation that was far ahead of us or by somebody: what was written after it is newer. Times are coarse, but the
    // file that has its place now surely is.
    if (position < 0)
      this.#options.note("the log was rotated or removed before it was read: entries may be missing");
    const { mtimeMs } = current.stats;
    const isNewer = (file: LogFile, index: number): boolean =>
      position < 0 ? file.path === this.#options.path || file.stats.mtimeMs > mtimeMs : index > position;
    const newer = files.filter((file, index) => isNewer(file, index));
    for (const file of files) if (!newer.includes(file)) file.close();
    return newer;
  }

  /** Nobody writes to it any more. */
  *#finishOldest(): Generator<LogLine> {
    const file = this.#files[0];
    if (file === undefined) return;
    for (const text of file.lines()) yield { file: file.path, text };
    yield* restOf(file);
    file.close();
    this.#files.shift();
  }
}

function* restOf(file: LogFile): Generator<LogLine> {
  const text = file.rest();
  if (text !== "") yield { file: file.path, text };
}
