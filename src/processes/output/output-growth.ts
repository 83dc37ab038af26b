// Tells that output grew, to whoever listens: the kernel reports writes to the files of a run, so nobody asks and no keeper is bothered.
import { watch, type FSWatcher } from "node:fs";
import { directoryOf, type ProcessContext } from "../context.ts";
import { outputExtent } from "../finish-process.ts";

export type GrowthListener = (id: string, outputBytes: number) => void;

// A chatty process is told ten times a second, not once per write.
const coalesceMs = 100;

interface Watched {
  readonly watcher: FSWatcher;
  timer: NodeJS.Timeout | undefined;
  lastBytes: number;
}

export class OutputGrowth {
  readonly #context: ProcessContext;
  readonly #listeners = new Set<GrowthListener>();
  readonly #watched = new Map<string, Watched>();
  #stopListening: (() => void) | undefined;

  constructor(context: ProcessContext) {
    this.#context = context;
  }

  /** Returns how to stop. Files are watched only while somebody listens. */
  listen(listener: GrowthListener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  #begin(): void {
    const { registry } = this.#context;
    for (const { id } of registry.live()) this.#watch(id);
    this.#stopListening = registry.listen((event) => {
      if (event.kind === "process.started") this.#watch(event.processId);
      if (event.kind === "process.ended") this.#unwatch(event.processId);
    });
  }

  #end(): void {
    this.#stopListening?.();
    for (const id of this.#watched.keys()) this.#unwatch(id);
  }

  #watch(id: string): void {
    if (this.#watched.has(id)) return;
    try {
      const watcher = watch(directoryOf(this.#context, id), { persistent: false }, (_kind, name) => {
        if (name === null || name.endsWith(".log")) this.#grew(id);
      });
      watcher.on("error", () => this.#unwatch(id)); // its directory went
      this.#watched.set(id, { watcher, timer: undefined, lastBytes: 0 });
      this.#grew(id); // what it wrote before we looked
    } catch {
      return; // ended and removed meanwhile: there is nothing to grow
    }
  }

  #grew(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined || watched.timer !== undefined) return;
    watched.timer = setTimeout(() => {
      watched.timer = undefined;
      void this.#tell(id, watched);
    }, coalesceMs);
    watched.timer.unref();
  }

  async #tell(id: string, watched: Watched): Promise<void> {
    const { end } = await outputExtent(directoryOf(this.#context, id));
    if (end <= watched.lastBytes) return;
    watched.lastBytes = end;
    for (const listener of this.#listeners) listener(id, end);
  }

  #unwatch(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    this.#watched.delete(id);
    clearTimeout(watched.timer);
    watched.watcher.close();
  }
}
