// The processes of the store. What may change when is decided elsewhere.
import { expressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool } from "kysely";
import { processIdPrefix, shortestPrefix } from "../protocol/id-prefix.ts";
import type { ProcessKind, ProcessState } from "../protocol/process.ts";
import { toRecord, toRow, type ProcessRecord } from "./process-record.ts";
import type { ProcessRow, StoreTables } from "./tables.ts";

/** What never changes: who it is, and what it is found by. */
type Fixed = "id" | "labels" | "createdAt" | "idempotencyKey";
const unchanging = { id: undefined, labels: undefined, createdAt: undefined, idempotencyKey: undefined };
export type ProcessChanges = Partial<Omit<ProcessRecord, Fixed>>;

/** All conditions hold; nothing given: every process. */
export interface ProcessFilter {
  readonly states?: readonly ProcessState[] | undefined;
  readonly session?: string | undefined;
  readonly task?: string | undefined;
  readonly profile?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly kind?: ProcessKind | undefined;
  /** Its own, nobody's, and what was shared with it. */
  readonly visibleTo?: string | undefined;
  readonly limit?: number | undefined;
}

export interface EndedFilter {
  /** Milliseconds since 1970; only those that ended before. */
  readonly endedBefore?: number | undefined;
  readonly limit?: number | undefined;
}

/** What never changes is left out, so that a whole record may be given. */
export function changedColumns(changes: ProcessChanges): Partial<ProcessRow> {
  return toRow({ ...changes, ...unchanging });
}

export class Processes {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** @throws HoldfastError STORE_CONFLICT: the id, the name of a living one or the idempotency key is taken */
  async insert(record: ProcessRecord): Promise<void> {
    const labels = Object.entries(record.labels);
    const write = async (db: Kysely<StoreTables>): Promise<void> => {
      await db.insertInto("processes").values(toRow(record)).execute();
      if (labels.length === 0) return;
      const rows = labels.map(([key, value]) => ({ process_id: record.id, key, value }));
      await db.insertInto("process_labels").values(rows).execute();
    };
    if (this.#db.isTransaction || labels.length === 0) await write(this.#db);
    else await this.#db.transaction().execute(write);
  }

  /**
   * What never changes is left out, so that a whole record may be given. False if there is no such process.
   * @throws HoldfastError STORE_CONFLICT: a living one has this name
   */
  async update(id: string, changes: ProcessChanges): Promise<boolean> {
    const row = changedColumns(changes);
    if (Object.keys(row).length === 0) return (await this.get(id)) !== undefined;
    const result = await this.#db.updateTable("processes").set(row).where("id", "=", id).executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async get(id: string): Promise<ProcessRecord | undefined> {
    return first(await this.#all().where("id", "=", id).execute());
  }

  async byIdempotencyKey(key: string): Promise<ProcessRecord | undefined> {
    return first(await this.#all().where("idempotency_key", "=", key).execute());
  }

  async liveByName(name: string): Promise<ProcessRecord | undefined> {
    return first(await this.#all().where("name", "=", name).where("state", "<>", "ended").execute());
  }

  /** The living one, else the one that had the name last; of one session, if it is given. */
  async newestByName(name: string, session?: string): Promise<ProcessRecord | undefined> {
    let named = this.#all().where("name", "=", name);
    if (session !== undefined) named = named.where("session", "=", session);
    const live = await named.where("state", "<>", "ended").execute();
    return first(live) ?? first(await named.orderBy("created_at", "desc").limit(1).execute());
  }

  /**
   * The process with this id, or up to two whose id begins so, the `p_` left out or not: none, one, or an ambiguous
   * prefix. Of one session, if it is given.
   */
  async byIdPrefix(text: string, session?: string): Promise<ProcessRecord[]> {
    const exact = await this.get(text);
    if (exact !== undefined) return [exact];
    const random = text.startsWith(processIdPrefix) ? text.slice(processIdPrefix.length) : text;
    if (random.length < shortestPrefix || !/^[a-z0-9]+$/.test(random)) return [];
    const from = processIdPrefix + random;
    // "{" is the character after "z": a range uses the index, LIKE does not.
    let found = this.#all().where("id", ">=", from).where("id", "<", `${from}{`).orderBy("id").limit(2);
    if (session !== undefined) found = found.where("session", "=", session);
    return (await found.execute()).map(toRecord);
  }

  /** Newest first. */
  async list(filter: ProcessFilter = {}): Promise<ProcessRecord[]> {
    let query = this.#all().orderBy("created_at", "desc").orderBy("id", "desc");
    if (filter.states !== undefined) query = query.where("state", "in", filter.states);
    for (const column of ["session", "task", "profile", "kind"] as const) {
      const value = filter[column];
      if (value !== undefined) query = query.where(column, "=", value);
    }
    for (const [key, value] of Object.entries(filter.labels ?? {})) {
      const marked = this.#db.selectFrom("process_labels").select("process_id");
      query = query.where("id", "in", marked.where("key", "=", key).where("value", "=", value));
    }
    if (filter.visibleTo !== undefined) query = query.where(this.#visibleTo(filter.visibleTo));
    if (filter.limit !== undefined) query = query.limit(filter.limit);
    return (await query.execute()).map(toRecord);
  }

  /** All that have not ended, oldest first. */
  async live(): Promise<ProcessRecord[]> {
    const query = this.#all().where("state", "in", ["starting", "running", "stopping"]);
    return (await query.orderBy("created_at").orderBy("id").execute()).map(toRecord);
  }

  /** Those that have ended, the longest ended first: the order in which retention removes them. */
  async ended(filter: EndedFilter = {}): Promise<ProcessRecord[]> {
    let query = this.#all().where("state", "=", "ended").orderBy("ended_at").orderBy("id");
    if (filter.endedBefore !== undefined) query = query.where("ended_at", "<", filter.endedBefore);
    if (filter.limit !== undefined) query = query.limit(filter.limit);
    return (await query.execute()).map(toRecord);
  }

  async countByState(): Promise<Record<ProcessState, number>> {
    const counts: Record<ProcessState, number> = { starting: 0, running: 0, stopping: 0, ended: 0 };
    const rows = await this.#db
      .selectFrom("processes")
      .select(({ fn }) => ["state", fn.countAll().as("count")])
      .groupBy("state")
      .execute();
    for (const { state, count } of rows) counts[state as ProcessState] = Number(count); // the table admits no other
    return counts;
  }

  /** How often any watch of it was true, pushed or not. */
  async watchHits(id: string): Promise<number> {
    const query = this.#db.selectFrom("watches").select(({ fn }) => fn.sum<number | null>("hits").as("hits"));
    return (await query.where("process_id", "=", id).executeTakeFirst())?.hits ?? 0;
  }

  /** False if there is no such process. */
  async delete(id: string): Promise<boolean> {
    const result = await this.#db.deleteFrom("processes").where("id", "=", id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  #visibleTo(session: string): ExpressionWrapper<StoreTables, "processes", SqlBool> {
    const eb = expressionBuilder<StoreTables, "processes">();
    const shared = this.#db.selectFrom("shares").select("process_id").where("session", "in", [session, ""]);
    return eb.or([eb("session", "=", session), eb("session", "is", null), eb("id", "in", shared)]);
  }

  #all() {
    return this.#db.selectFrom("processes").selectAll();
  }
}

function first(rows: Parameters<typeof toRecord>[0][]): ProcessRecord | undefined {
  const [row] = rows;
  return row === undefined ? undefined : toRecord(row);
}
