// The watches of all processes: found again after a restart, begun with a process, settled before its end is told.
import { HoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord } from "../../protocol/exit.ts";
import { newWatchId } from "../../protocol/ids.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { WatchSpec, WatchView } from "../../protocol/watches.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { WatchEnd } from "../end-notice.ts";
import { checkWatches } from "./check-watches.ts";
import { listHits, type HitsInput } from "./list-hits.ts";
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
  /** Ends that are known and not told. */
  readonly #late = new Set<string>();
  readonly #stopListening: () => void;
  #isClosed = false;

  private constructor(host: WatchHost, pushing: Pushing) {
    this.#host = host;
    this.#pushing = pushing;
    host.registry.beforeEnd((id, exit) => this.#settle(id, exit));
    this.#stopListening = host.registry.listen((event) => {
      if (event.kind === "process.ended" && this.#watched.has(event.processId))
        void this.#over(event.processId);
      else if (event.kind === "process.ended" || event.kind === "process.removed")
        this.#forget(event.processId);
    });
  }

  static async open(host: WatchHost): Promise<ProcessWatches> {
    return new ProcessWatches(host, await Pushing.open(host));
  }

  /** How many ends are known and wait to be told. */
  get lateCount(): number {
    return this.#late.size;
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
      if (current === undefined || current.state === "ended") this.#forgetUnlessLate(record.id, watched);
      else if (watched === undefined) this.#unwatched.add(record.id);
      else watched.open();
    } catch (error) {
      report(`The watches of ${record.id} cannot be read.`, error, { processId: record.id });
    }
  }

  /** Ends that an earlier daemon knew and had not told: the looking that they wait for goes on where it was. */
  async resumeEnds(): Promise<void> {
    const { store, registry, report } = this.#host;
    for (const id of await store.watches.unfinished()) {
      try {
        const record = await registry.get(id);
        if (record !== undefined) void this.#tellEnd(record, await this.#of(record));
      } catch (error) {
        report(`The watches of ${id} cannot be read.`, error, { processId: id });
      }
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
    this.#forgetUnlessLate(record.id, watched);
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
  async hits(input: HitsInput): Promise<OperationOutput<"watch.hits">> {
    return await listHits(this.#host, this.#link, input);
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
    if (this.#unwatched.has(id) && !this.#watched.has(id)) return undefined;
    if (this.#isClosed) throw new HoldfastError("DAEMON_STOPPING", "The daemon is about to end.");
    const { store, registry } = this.#host;
    const record = await registry.get(id);
    if (record === undefined || record.state === "ended") return undefined;
    if (!this.#watched.has(id)) {
      const watches = await store.watches.ofProcess(id);
      if (!watches.some(({ state }) => state === "active")) return undefined;
    }
    const watched = await this.#of(record);
    if (this.#isClosed) watched.close(); // it was loaded too late to be closed with the others
    return await watched.end(exit);
  }

  /** Its end is stored; it is told too, unless there was not enough time to look at everything. */
  async #over(id: string): Promise<void> {
    const watched = await this.#watched.get(id)?.catch(() => undefined); // there was none
    this.#forgetUnlessLate(id, watched);
    if (watched?.isLate !== true) return;
    const record = await this.#host.registry.get(id);
    if (record !== undefined) await this.#tellEnd(record, watched);
  }

  async #tellEnd(record: ProcessRecord, watched: WatchedProcess): Promise<void> {
    const { id, exit } = record;
    this.#late.add(id);
    try {
      if (exit !== null) await watched.tellEnd(exit);
    } catch (error) {
      // The next daemon goes on; of one that was removed nothing more is told.
      const isOver = this.#isClosed || !this.#watched.has(id);
      if (!isOver) this.#host.report(`The end of ${id} cannot be told yet.`, error, { processId: id });
    } finally {
      this.#late.delete(id);
      this.#forget(id);
    }
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

  #forgetUnlessLate(id: string, watched: WatchedProcess | undefined): void {
    if (watched?.isLate !== true) this.#forget(id);
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
