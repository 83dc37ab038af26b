// Work that is done elsewhere, and what came of it.
import type { Kysely, Selectable } from "kysely";
import type { NoticeRoute } from "./new-notice.ts";
import type { DelegationRow, StoreTables } from "./tables.ts";

export type DelegationState = "running" | "finished" | "cancelled" | "lost";

/** Times are milliseconds since 1970. */
export interface DelegationRecord {
  readonly id: string;
  readonly route: NoticeRoute;
  readonly state: DelegationState;
  /** Goal, context and items, as they stand. */
  readonly work: Readonly<Record<string, unknown>>;
  /** Identity of whoever does it, if it is a process of this machine. */
  readonly delegate: Readonly<Record<string, unknown>> | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly finishedAt: number | null;
}

export function toDelegationRow(record: DelegationRecord): DelegationRow {
  const { route } = record;
  return {
    id: record.id,
    session: route.session,
    task: route.task,
    profile: route.profile,
    origin: route.origin === null ? null : JSON.stringify(route.origin),
    state: record.state,
    work: JSON.stringify(record.work),
    result: null,
    delegate: record.delegate === null ? null : JSON.stringify(record.delegate),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    finished_at: record.finishedAt,
  };
}

export class Delegations {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(id: string): Promise<DelegationRecord | undefined> {
    const row = await this.#db.selectFrom("delegations").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : toDelegation(row);
  }

  /** Newest first. */
  async list(filter: {
    readonly session?: string | undefined;
    readonly states?: readonly DelegationState[] | undefined;
    readonly limit?: number | undefined;
  }): Promise<DelegationRecord[]> {
    let query = this.#db.selectFrom("delegations").selectAll().orderBy("created_at", "desc").orderBy("id");
    if (filter.session !== undefined) query = query.where("session", "=", filter.session);
    if (filter.states !== undefined) query = query.where("state", "in", [...filter.states]);
    if (filter.limit !== undefined) query = query.limit(filter.limit);
    return (await query.execute()).map(toDelegation);
  }

  async deleteFinished(beforeMs: number): Promise<void> {
    await this.#db.deleteFrom("delegations").where("finished_at", "<", beforeMs).execute();
  }
}

/** Types are asserted: toDelegationRow has written the row. */
export function toDelegation(row: Selectable<DelegationRow>): DelegationRecord {
  return {
    id: row.id,
    route: {
      session: row.session,
      task: row.task,
      profile: row.profile,
      origin: row.origin === null ? null : (JSON.parse(row.origin) as NoticeRoute["origin"]),
    },
    state: row.state as DelegationState,
    work: JSON.parse(row.work) as DelegationRecord["work"],
    delegate: row.delegate === null ? null : (JSON.parse(row.delegate) as DelegationRecord["delegate"]),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
