// Tells when one of a few files has changed. Their directories are watched: editors replace a file, and a watch of the
// file itself would go on looking at the old one.
import { realpathSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

// Editors save in several steps; what is read in between is cut short.
const quietMs = 100;

export class FileWatch {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #failures = new Map<string, string>();
  #names: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Why changes of some files will not be seen, in words. */
  get failures(): readonly string[] {
    return [...this.#failures.values()];
  }

  /** Watches these files, which need not exist, and no others. */
  follow(files: readonly string[]): void {
    if (this.#isClosed) return;
    // A link is watched at both ends: people edit the target.
    const paths = files.flatMap((file) => [file, realPathOf(file)]);
    this.#names = new Set(paths.map((path) => basename(path)));
    const directories = new Set(paths.map((path) => dirname(path)));
    for (const directory of this.#watchers.keys()) if (!directories.has(directory)) this.#forget(directory);
    this.#failures.clear();
    for (const directory of directories) if (!this.#watchers.has(directory)) this.#watch(directory);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const directory of this.#watchers.keys()) this.#forget(directory);
  }

  #watch(directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        // Some systems do not tell which file it was.
        if (name === null || this.#names.has(name)) this.#changed();
      });
      watcher.on("error", (error) => this.#fail(directory, error));
      this.#watchers.set(directory, watcher);
    } catch (error) {
      this.#fail(directory, error);
    }
  }

  #fail(directory: string, error: unknown): void {
    this.#forget(directory);
    const reason = error instanceof Error ? error.message : String(error);
    this.#failures.set(directory, `${directory} is not watched for changes of the configuration: ${reason}`);
  }

  #forget(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onChange, quietMs).unref();
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there: then a change is that it appears.
    return file;
  }
}
