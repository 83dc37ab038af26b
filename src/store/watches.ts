// The watches of the store: what is looked for, how often it was found, and how far the looking has come.
import { sql, type Kysely } from "kysely";
import type { WatchSpec } from "../protocol/watches.ts";
import type { NewNotice } from "./new-notice.ts";
import type { StoreTables, WatchRow } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface WatchRecord {
  readonly id: string;
  readonly processId: string;
  readonly spec: WatchSpec;
  readonly state: "active" | "ended";
  /** Only lines that begin here or later. */
  readonly fromOffset: number;
  readonly createdAt: number;
  readonly hits: number;
  readonly lastHitAt: number | null;
  readonly lastHitOffset: number | null;
}

export interface WatchProgress {
  /** Everything before has been looked at. */
  readonly resumeAt: number;
  /** How the watches stand, as JSON. */
  readonly push: string;
  readonly gaps: string;
}

export interface StoredHits {
  readonly watch: string;
  readonly count: number;
  /** Null for what is no line of the output. */
  readonly offset: number | null;
  readonly segments: readonly (readonly [segment: number, count: number])[];
}

/** What was found and how far the looking came with it: one commit, so that a kill neither loses nor repeats a match. */
export interface WatchAdvance {
  readonly at: number;
  readonly processId: string | null;
  readonly progress?: WatchProgress;
  readonly added?: readonly WatchRecord[];
  readonly hits?: readonly StoredHits[];
  readonly ended?: readonly string[];
  /** Of all pushes, as JSON. */
  readonly breaker?: string;
  readonly notices?: readonly NewNotice[];
  /** They were held until these watches had seen everything: told now, after the others. */
  readonly heldNotices?: readonly NewNotice[];
}

export const breakerKey = "watch_breaker";

export class Watches {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(id: string): Promise<WatchRecord | undefined> {
    const row = await this.#db.selectFrom("watches").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : toWatch(row);
  }

  /** Oldest first. */
  async ofProcess(processId: string): Promise<WatchRecord[]> {
    const query = this.#db.selectFrom("watches").selectAll().where("process_id", "=", processId);
    // Those of a start have the same time: they stay in the order in which they were given.
    return (await query.orderBy(sql`rowid`).execute()).map(toWatch);
  }

  /** Processes that have ended and whose watches have not looked at everything. */
  async unfinished(): Promise<string[]> {
    const query = this.#db
      .selectFrom("watches")
      .innerJoin("processes", "processes.id", "watches.process_id")
      .select("watches.process_id")
      .distinct()
      .where("watches.state", "=", "active")
      .where("processes.state", "=", "ended");
    return (await query.execute()).map((row) => row.process_id);
  }

  async progress(processId: string): Promise<WatchProgress | undefined> {
    const query = this.#db.selectFrom("watch_progress").selectAll().where("process_id", "=", processId);
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : { resumeAt: row.resume_at, push: row.push, gaps: row.gaps };
  }

  /** By number of the part, lowest first. */
  async counts(id: string, first = 0, limit = 1_000): Promise<{ segment: number; hits: number }[]> {
    return await this.#db
      .selectFrom("watch_counts")
      .select(["segment", "hits"])
      .where("watch_id", "=", id)
      .where("segment", ">=", first)
      .orderBy("segment")
      .limit(limit)
      .execute();
  }

  async breaker(): Promise<string | undefined> {
    const query = this.#db.selectFrom("meta").select("value").where("key", "=", breakerKey);
    return (await query.executeTakeFirst())?.value;
  }
}

function toWatch(row: Omit<WatchRow, "hits"> & { hits: number }): WatchRecord {
  return {
    id: row.id,
    processId: row.process_id,
    spec: JSON.parse(row.spec) as WatchSpec, // written by toWatchRow or with the start, validated before
    state: row.state === "active" ? "active" : "ended",
    fromOffset: row.from_offset,
    createdAt: row.created_at,
    hits: row.hits,
    lastHitAt: row.last_hit_at,
    lastHitOffset: row.last_hit_offset,
  };
}
