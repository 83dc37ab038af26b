// Wakes whoever follows some files when one of them changes. Their directory is watched, so that a new file is seen too.
import { watch, type FSWatcher } from "node:fs";

export interface FileChangesOptions {
  readonly directory: string;
  /** What the names of the files begin with. */
  readonly prefix: string;
  readonly note: (text: string) => void;
}

// Where changes cannot be watched (no more watches, a network file system): as often as a person looks.
const lookAgainMs = 1_000;

export class FileChanges {
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor({ directory, prefix, note }: FileChangesOptions) {
    const fallBack = (error: unknown): void => {
      this.#watcher?.close();
      note(`${directory} cannot be watched, so it is looked at every second: ${String(error)}`);
      this.#timer ??= setInterval(() => this.#changed(), lookAgainMs);
    };
    try {
      this.#watcher = watch(directory, (_, name) => {
        if (name === null || name.startsWith(prefix)) this.#changed();
      });
      this.#watcher.on("error", fallBack);
    } catch (error) {
      fallBack(error);
    }
  }

  /** Resolves at once when something has changed since the last time. */
  async next(): Promise<void> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
  }

  close(): void {
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  #changed(): void {
    this.#hasChanged = true;
    this.#wake?.();
    this.#wake = undefined;
  }
}
