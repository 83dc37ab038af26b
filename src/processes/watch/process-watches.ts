// The watches of all processes: found again after a restart, begun with a process, settled before its end is told.
import { runDirectory } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import { newWatchId } from "../../protocol/ids.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { WatchSpec, WatchView } from "../../protocol/watches.ts";
import type { ProcessRecord, WatchRecord } from "../../store/index.ts";
import type { WatchEnd } from "../end-notice.ts";
import { checkWatches } from "./check-watches.ts";
import { toLineWatch } from "./output-lanes.ts";
import { Pushing } from "./pushing.ts";
import { gapsSchema, readStanding } from "./standing.ts";
import { WatchedProcess } from "./watched-process.ts";
import type { WatchBook } from "./watch-book.ts";
import type { WatchHost } from "./watch-host.ts";
import { viewWatch } from "./watch-view.ts";
import { WorkerLink } from "./worker-link.ts";

export class ProcessWatches {
  readonly #host: WatchHost;
  readonly #pushing: Pushing;
  readonly #link = new WorkerLink();
  readonly #watched = new Map<string, Promise<WatchedProcess>>();
  /** Began under this daemon, and nobody has added a watch: their end waits for nothing. */
  readonly #unwatched = new Set<string>();
  readonly #stopListening: () => void;
  #isClosed = false;

  private constructor(host: WatchHost, pushing: Pushing) {
    this.#host = host;
    this.#pushing = pushing;
    host.registry.beforeEnd((id, exit) => this.#settle(id, exit));
    this.#stopListening = host.registry.listen((event) => {
      if (event.kind === "process.ended" || event.kind === "process.removed") this.#forget(event.processId);
    });
  }

  static async open(host: WatchHost): Promise<ProcessWatches> {
    return new ProcessWatches(host, await Pushing.open(host));
  }

  /** A process runs that was started just now, with its watches. */
  begin(record: ProcessRecord): void {
    if (record.state === "ended") return;
    if (record.spec.watches.length === 0) this.#unwatched.add(record.id);
    else void this.resume(record);
  }

  /** A process runs that a daemon before this one left, or that has watches: they go on where they were. */
  async resume(record: ProcessRecord): Promise<void> {
    const { store, registry, report } = this.#host;
    try {
      const watches = await store.watches.ofProcess(record.id);
      const isWatched = watches.some(({ state }) => state === "active");
      const watched = isWatched ? await this.#of(record) : undefined;
      const current = await registry.get(record.id);
      if (current === undefined || current.state === "ended") this.#forget(record.id);
      else if (watched === undefined) this.#unwatched.add(record.id);
      else watched.open();
    } catch (error) {
      report(`The watches of ${record.id} cannot be read.`, error, { processId: record.id });
    }
  }

  /** @throws HoldfastError INVALID_ARGUMENT, PROCESS_ENDED */
  async add(record: ProcessRecord, spec: WatchSpec): Promise<WatchView> {
    const { store } = this.#host;
    if (record.state === "ended") throw processEnded(record.id);
    const others = (await store.watches.ofProcess(record.id)).filter(({ state }) => state === "active");
    checkWatches([...others.map((watch) => watch.spec), spec], record.mode);
    const watched = await this.#of(record);
    this.#unwatched.delete(record.id);
    watched.open();
    const added = await watched.add({
      id: newWatchId(),
      processId: record.id,
      spec,
      state: "active",
      fromOffset: 0,
      createdAt: Date.now(),
      hits: 0,
      lastHitAt: null,
      lastHitOffset: null,
    });
    if ((await this.#host.registry.get(record.id))?.state !== "ended")
      return viewWatch(added, record, await store.watches.progress(record.id));
    // It ended just now, and its end did not wait for a watch that was not there yet.
    await store.removeWatch(added.id);
    this.#forget(record.id);
    throw processEnded(record.id);
  }

  /** Oldest first. */
  async list(record: ProcessRecord): Promise<WatchView[]> {
    const { store } = this.#host;
    const [watches, progress] = await Promise.all([
      store.watches.ofProcess(record.id),
      store.watches.progress(record.id),
    ]);
    return watches.map((watch) => viewWatch(watch, record, progress));
  }

  /** False if there is none. */
  async remove(id: string): Promise<boolean> {
    const { store } = this.#host;
    const watch = await store.watches.get(id);
    if (watch === undefined) return false;
    await (await this.#watched.get(watch.processId))?.remove(id);
    return await store.removeWatch(id);
  }

  /** @throws HoldfastError WATCH_NOT_FOUND, INVALID_ARGUMENT, RUN_NOT_FOUND */
  async hits(input: { watch: string; from: number; limit: number }): Promise<OperationOutput<"watch.hits">> {
    const { store, home } = this.#host;
    const watch = await store.watches.get(input.watch);
    if (watch === undefined) throw watchNotFound(input.watch);
    const line = lineWatchOf(watch);
    const directory = runDirectory(home, watch.processId);
    const { hits, next } = await this.#link.findHits({
      directory,
      watch: line,
      from: input.from,
      limit: input.limit,
    });
    const progress = await store.watches.progress(watch.processId);
    const gaps = gapsSchema.parse(JSON.parse(progress?.gaps ?? "[]"));
    return { hits: [...hits], next, gaps };
  }

  /** Somebody typed into a process. */
  inputGiven(id: string): void {
    void this.#watched.get(id)?.then(
      (watched) => watched.inputGiven(),
      () => undefined, // told by whoever asked for it
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    for (const id of this.#watched.keys()) this.#forget(id);
    this.#pushing.close();
    await this.#link.close();
  }

  async #settle(id: string, exit: ExitRecord): Promise<WatchEnd | undefined> {
    if (this.#unwatched.has(id)) return undefined;
    if (this.#isClosed) throw new HoldfastError("DAEMON_STOPPING", "The daemon is about to end.");
    const { store, registry } = this.#host;
    const record = await registry.get(id);
    if (record === undefined || record.state === "ended") return undefined;
    if (!this.#watched.has(id)) {
      const watches = await store.watches.ofProcess(id);
      if (!watches.some(({ state }) => state === "active")) return undefined;
    }
    return await (await this.#of(record)).end(exit);
  }

  #of(record: ProcessRecord): Promise<WatchedProcess> {
    let watched = this.#watched.get(record.id);
    if (watched === undefined) {
      watched = this.#load(record);
      this.#watched.set(record.id, watched);
      watched.catch(() => this.#watched.delete(record.id)); // the next one who asks tries again
    }
    return watched;
  }

  async #load(record: ProcessRecord): Promise<WatchedProcess> {
    const { watches } = this.#host.store;
    const all = await watches.ofProcess(record.id);
    const progress = await watches.progress(record.id);
    const book: WatchBook = {
      watches: all.filter(({ state }) => state === "active"),
      standing: readStanding(progress?.push),
      gaps: gapsSchema.parse(JSON.parse(progress?.gaps ?? "[]")),
    };
    return new WatchedProcess({
      host: this.#host,
      link: this.#link,
      pushing: this.#pushing,
      record,
      book,
    });
  }

  #forget(id: string): void {
    this.#unwatched.delete(id);
    void this.#watched.get(id)?.then(
      (watched) => watched.close(),
      () => undefined, // there was none
    );
    this.#watched.delete(id);
  }
}

function processEnded(id: string): HoldfastError {
  return new HoldfastError("PROCESS_ENDED", `${id} has ended: nothing more comes of it.`, {
    hint: `Look through what it wrote with \`holdfast logs ${id}\`.`,
  });
}

function watchNotFound(id: string): HoldfastError {
  return new HoldfastError("WATCH_NOT_FOUND", `There is no watch "${id}".`, { details: { watch: id } });
}

function lineWatchOf(watch: WatchRecord): ReturnType<typeof toLineWatch>[number] {
  const [line] = toLineWatch(watch);
  if (line === undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `${watch.id} looks for no text: it has no lines to find.`);
  }
  // One that was added for earlier output looks for that too.
  const { spec } = watch;
  const asked = "from" in spec && spec.from !== "now" ? (spec.from === "start" ? 0 : spec.from) : line.from;
  return { ...line, from: Math.min(asked, line.from) };
}
