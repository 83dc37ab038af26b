// The memory of the daemon: which processes there are and how each one stands. Every change goes through here: the state table
// decides, the store commits, then whoever listens is told.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { Event } from "../protocol/events.ts";
import type { ExitRecord } from "../protocol/exit.ts";
import type { ProcessChanges, ProcessRecord, Store, WatchAdvance } from "../store/index.ts";
import { endNotices, type WatchEnd } from "./end-notice.ts";
import { nextState, type StateEvent } from "./state.ts";
import { viewProcess } from "./view.ts";

export type RecordChanges = Partial<Omit<ProcessRecord, "id" | "state">>;
export type RegistryListener = (event: Event) => void;
/** Asked before an end is stored and told: what else belongs to it. */
export type EndHook = (id: string, exit: ExitRecord) => Promise<WatchEnd | undefined>;

// Whoever started a short command asks for it within moments of its end.
const mostRecent = 256;

interface FoundByWatches {
  readonly end?: WatchEnd | undefined;
  readonly advance?: WatchAdvance | undefined;
}

type StoredKind = Extract<Event["kind"], "process.started" | "process.changed" | "process.ended">;

export class ProcessRegistry {
  readonly #store: Store;
  readonly #live = new Map<string, ProcessRecord>();
  /** The last that ended, as stored, oldest first. */
  readonly #recent = new Map<string, ProcessRecord>();
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #ends = new Map<string, PromiseWithResolvers<ProcessRecord>>();
  readonly #listeners = new Set<RegistryListener>();
  /** Starts that are not stored yet, each with the process whose place it takes. */
  readonly #reserved = new Map<string, string | undefined>();
  #beforeEnd: EndHook = () => Promise.resolve(undefined);

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store): Promise<ProcessRegistry> {
    const registry = new ProcessRegistry(store);
    for (const record of await store.processes.live()) registry.#live.set(record.id, record);
    return registry;
  }

  /** What the store knows now of those that have not ended: it could only be read before, and perhaps not all of it. */
  async takeLive(records: readonly ProcessRecord[]): Promise<void> {
    this.#live.clear();
    for (const record of records) this.#live.set(record.id, record);
    for (const [id, end] of this.#ends) {
      const record = await this.get(id);
      if (record?.state !== "ended") continue;
      this.#ends.delete(id);
      end.resolve(record);
    }
  }

  /** Processes that have not ended. */
  get liveCount(): number {
    return this.#live.size;
  }

  live(): ProcessRecord[] {
    return [...this.#live.values()];
  }

  liveByName(name: string): ProcessRecord | undefined {
    return this.live().find((record) => record.name === name);
  }

  async get(id: string): Promise<ProcessRecord | undefined> {
    return this.#live.get(id) ?? this.#recent.get(id) ?? (await this.#store.processes.get(id));
  }

  /**
   * By id, by name (the living one, else the last that had it), or by a prefix of 4 or more. A session that is given means its own
   * before those of others.
   * @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS
   */
  async find(reference: string, session?: string): Promise<ProcessRecord> {
    const own = session === undefined ? undefined : await this.#findOwn(reference, session);
    const exact = own ?? (await this.get(reference)) ?? this.liveByName(reference);
    if (exact !== undefined) return exact;
    // A short command has often ended before somebody asks for it by its name.
    const named = await this.#store.processes.newestByName(reference);
    if (named !== undefined) return named;
    const found = await this.#store.processes.byIdPrefix(reference);
    const [first, second] = found;
    if (first === undefined) {
      throw new HoldfastError("PROCESS_NOT_FOUND", `There is no process "${reference}".`, {
        details: { reference },
      });
    }
    if (second !== undefined) {
      throw new HoldfastError(
        "PROCESS_AMBIGUOUS",
        `"${reference}" fits ${first.id} and ${second.id}, perhaps more.`,
        {
          details: { reference, ids: found.map((record) => record.id) },
        },
      );
    }
    return this.#live.get(first.id) ?? first;
  }

  /**
   * A place for a start that is not stored yet: of many at once no more pass than there is room for. Inserting the process takes it.
   * @throws HoldfastError TOO_MANY_PROCESSES
   */
  reserve(id: string, { most, replaces }: { most: number; replaces?: string | undefined }): void {
    const taken = this.#placesTaken();
    const needed = this.#takesLivingPlace(replaces) ? 0 : 1;
    if (taken + needed > most) {
      throw new HoldfastError("TOO_MANY_PROCESSES", `${taken} processes run, as many as are allowed.`, {
        details: { running: taken, most },
      });
    }
    this.#reserved.set(id, replaces);
  }

  /** Nothing will be inserted for this reservation, or it was. */
  release(id: string): void {
    this.#reserved.delete(id);
  }

  /** The row is committed before the process can exist. @throws HoldfastError NAME_IN_USE */
  async insert(record: ProcessRecord): Promise<void> {
    try {
      await this.#store.insertProcess(record);
    } catch (error) {
      if (!isHoldfastError(error, "STORE_CONFLICT") || record.name === null) throw error;
      throw new HoldfastError("NAME_IN_USE", `The name "${record.name}" belongs to another process.`, {
        cause: error,
      });
    }
    if (record.state !== "ended") this.#live.set(record.id, record);
    this.release(record.id);
  }

  /**
   * Moves a process by the state table and tells what came of it, in one transaction.
   * @throws HoldfastError INVALID_TRANSITION, PROCESS_NOT_FOUND
   */
  async apply(id: string, event: StateEvent, changes: RecordChanges = {}): Promise<ProcessRecord> {
    // Outside the turn: other changes of the process go on while its last output is looked at.
    const end = changes.exit ? await this.#beforeEnd(id, changes.exit) : undefined;
    return await this.#inTurn(id, async (record) => {
      const state = nextState(record.state, event);
      if (record.state === "ended") return record; // an end is told once
      const kind =
        state === "ended" ? "process.ended" : event === "started" ? "process.started" : "process.changed";
      return await this.#commit(record, { ...changes, state }, kind, { end });
    });
  }

  /** A change that is no move: a name, a removed output. What watches found may come with it. */
  async change(id: string, changes: RecordChanges, advance?: WatchAdvance): Promise<ProcessRecord> {
    return await this.#inTurn(id, (record) => this.#commit(record, changes, "process.changed", { advance }));
  }

  beforeEnd(hook: EndHook): void {
    this.#beforeEnd = hook;
  }

  async remove(id: string): Promise<void> {
    const at = Date.now();
    const kind = "process.removed";
    // Its record goes: whose it was must be told with the event.
    const session = (await this.get(id))?.session ?? null;
    const event = { at, kind, processId: id, data: { session } } as const;
    const cursor = await this.#store.removeProcess(id, event);
    this.#live.delete(id);
    this.#recent.delete(id);
    this.#tell({ kind, cursor, at: new Date(at).toISOString(), processId: id, session });
  }

  /** Resolves when the process has ended; at once if it has. @throws HoldfastError PROCESS_NOT_FOUND */
  async ended(id: string): Promise<ProcessRecord> {
    const record = await this.get(id);
    if (record === undefined) throw new HoldfastError("PROCESS_NOT_FOUND", `There is no process "${id}".`);
    if (record.state === "ended") return record;
    const end = this.#ends.get(id) ?? Promise.withResolvers<ProcessRecord>();
    this.#ends.set(id, end);
    return await end.promise;
  }

  /** Returns how to stop listening. */
  listen(listener: RegistryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #placesTaken(): number {
    const ofTheirOwn = [...this.#reserved.values()].filter((replaced) => !this.#takesLivingPlace(replaced));
    return this.liveCount + ofTheirOwn.length;
  }

  /** Before that has ended, its successor needs no place of its own. */
  #takesLivingPlace(replaced: string | undefined): boolean {
    return replaced !== undefined && this.#live.has(replaced);
  }

  async #findOwn(reference: string, session: string): Promise<ProcessRecord | undefined> {
    const { processes } = this.#store;
    const byId = await this.get(reference);
    if (byId !== undefined) return byId;
    const named = await processes.newestByName(reference, session);
    const [first, second] = named === undefined ? await processes.byIdPrefix(reference, session) : [named];
    if (first === undefined || second !== undefined) return undefined;
    return this.#live.get(first.id) ?? first;
  }

  async #commit(
    before: ProcessRecord,
    changes: ProcessChanges,
    kind: StoredKind,
    { end, advance = end?.advance ?? undefined }: FoundByWatches,
  ): Promise<ProcessRecord> {
    const at = Date.now();
    const record = { ...before, ...changes };
    // Only what changes: every column that is named costs its indexes, changed or not.
    const event = { at, kind, processId: record.id };
    const notices = kind === "process.ended" ? endNotices(record, at, end) : [];
    const cursor = await this.#store.changeProcess(record.id, changes, event, notices, advance);
    this.#remember(record);
    this.#tell({
      kind,
      cursor,
      at: new Date(at).toISOString(),
      processId: record.id,
      process: viewProcess(record),
    });
    if (record.state === "ended") {
      this.#ends.get(record.id)?.resolve(record);
      this.#ends.delete(record.id);
    }
    return record;
  }

  #remember(record: ProcessRecord): void {
    if (record.state !== "ended") {
      this.#live.set(record.id, record);
      return;
    }
    this.#live.delete(record.id);
    this.#recent.delete(record.id); // so that it becomes the newest
    this.#recent.set(record.id, record);
    const oldest = this.#recent.keys().next();
    if (this.#recent.size > mostRecent && !oldest.done) this.#recent.delete(oldest.value);
  }

  /** One change of a process at a time: each sees what the one before it left. */
  async #inTurn(id: string, work: (record: ProcessRecord) => Promise<ProcessRecord>): Promise<ProcessRecord> {
    const before = this.#queues.get(id) ?? Promise.resolve();
    const turn = before.then(async () => {
      const record = await this.get(id);
      if (record === undefined) throw new HoldfastError("PROCESS_NOT_FOUND", `There is no process "${id}".`);
      return await work(record);
    });
    const settled = turn.catch(() => undefined); // the caller of this turn gets the error; the next turn goes on
    this.#queues.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(id) === settled) this.#queues.delete(id);
    }
  }

  #tell(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}
