// What happened, in order, with the cursor each event is found by.
import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { EventKind } from "../protocol/events.ts";
import type { StoreTables } from "./tables.ts";

const keptEvents = 100_000;
// About a millisecond: so long a trim keeps others from the store.
const trimStepRows = 500;

/** That output grew is told to whoever listens and not stored. */
export type StoredEventKind = Exclude<EventKind, "process.output-grew">;

export interface NewEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: StoredEventKind;
  /** Null where the event is about no single process. */
  readonly processId: string | null;
  /** What is not in the process itself; nothing by default. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends Required<NewEvent> {
  readonly cursor: number;
}

export function toEventRow(event: NewEvent): {
  at: number;
  kind: string;
  process_id: string | null;
  data: string;
} {
  const { at, kind, processId, data } = event;
  return { at, kind, process_id: processId, data: data === undefined ? "{}" : JSON.stringify(data) };
}

export class Events {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Its cursor. Belongs into the transaction of the change it reports. */
  async append(event: NewEvent): Promise<number> {
    return await this.#insert(event);
  }

  /**
   * For a store that takes another's place: cursors go on from the clock, which is ahead of every cursor that a store before it gave, so
   * that a reader who comes back is told to look anew instead of missing what happened.
   */
  async beginAnew(atMs: number): Promise<void> {
    await this.#insert({ at: atMs, kind: "events.trimmed", processId: null }, atMs);
  }

  /** The next ones after a cursor, oldest first. If the cursor is older than `oldest()`, some are no longer kept. */
  async after(cursor: number, limit: number): Promise<StoredEvent[]> {
    const query = this.#db.selectFrom("events").selectAll().where("seq", ">", cursor);
    const rows = await query.orderBy("seq").limit(limit).execute();
    return rows.map((row) => ({
      cursor: row.seq,
      at: row.at,
      kind: row.kind as StoredEventKind, // written by append
      processId: row.process_id,
      data: JSON.parse(row.data) as Readonly<Record<string, unknown>>,
    }));
  }

  /** The cursor of the newest event; 0 before the first. */
  async last(): Promise<number> {
    return await this.#bound("max");
  }

  /** The cursor of the oldest event that is kept; 0 before the first. */
  async oldest(): Promise<number> {
    return await this.#bound("min");
  }

  /** Deletes all but the newest, in small steps between which others get their turn; tells how many went. */
  async trim(keep: number = keptEvents): Promise<number> {
    // The newest one always stays: it remembers the last cursor.
    const newestToGo = (await this.last()) - Math.max(1, keep);
    let trimmed = 0;
    for (;;) {
      const step = this.#db.selectFrom("events").select("seq").where("seq", "<=", newestToGo);
      const { numDeletedRows } = await this.#db
        .deleteFrom("events")
        .where("seq", "in", step.orderBy("seq").limit(trimStepRows))
        .executeTakeFirst();
      trimmed += Number(numDeletedRows);
      if (numDeletedRows < trimStepRows) return trimmed;
      await setImmediate();
    }
  }

  async #insert(event: NewEvent, seq?: number): Promise<number> {
    const row = { ...toEventRow(event), ...(seq === undefined ? {} : { seq }) };
    const inserted = await this.#db
      .insertInto("events")
      .values(row)
      .returning("seq")
      .executeTakeFirstOrThrow();
    return inserted.seq;
  }

  async #bound(which: "min" | "max"): Promise<number> {
    const query = this.#db.selectFrom("events").select(({ fn }) => fn[which]("seq").as("seq"));
    const row = await query.executeTakeFirst();
    return row?.seq ?? 0;
  }
}
