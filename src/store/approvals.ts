// What a person was asked to allow, and what came of it.
import type { Kysely } from "kysely";
import type { ApprovalAnswer, ApprovalState, PolicyReason } from "../protocol/policy.ts";
import type { ApprovalRow, StoreTables } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface ApprovalRecord {
  readonly id: string;
  readonly state: ApprovalState;
  /** Of session, profile, command and directory: what makes two requests the same. */
  readonly digest: string;
  readonly session: string | null;
  readonly task: string | null;
  readonly profile: string;
  readonly command: string;
  readonly cwd: string;
  readonly reasons: readonly PolicyReason[];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | null;
  readonly answer: ApprovalAnswer | null;
  readonly answeredBy: string | null;
  readonly note: string | null;
  readonly usedAt: number | null;
}

export interface ApprovalFilter {
  readonly session?: string | undefined;
  readonly states?: readonly ApprovalState[] | undefined;
  readonly limit?: number | undefined;
}

export class Approvals {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    const row = await this.#db.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : toApproval(row);
  }

  /** Newest first. */
  async list({ session, states, limit }: ApprovalFilter = {}): Promise<ApprovalRecord[]> {
    let query = this.#db.selectFrom("approvals").selectAll().orderBy("created_at", "desc").orderBy("id");
    if (session !== undefined) query = query.where("session", "=", session);
    if (states !== undefined) query = query.where("state", "in", [...states]);
    if (limit !== undefined) query = query.limit(limit);
    return (await query.execute()).map(toApproval);
  }

  /** Takes out what was over before this time. */
  async deleteOver(beforeMs: number): Promise<void> {
    await this.#db
      .deleteFrom("approvals")
      .where("state", "<>", "pending")
      .where("expires_at", "<", beforeMs)
      .execute();
  }
}

export function toApprovalRow(record: ApprovalRecord): ApprovalRow {
  return {
    id: record.id,
    state: record.state,
    digest: record.digest,
    session: record.session,
    task: record.task,
    profile: record.profile,
    command: record.command,
    cwd: record.cwd,
    reasons: JSON.stringify(record.reasons),
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    answered_at: record.answeredAt,
    answer: record.answer,
    answered_by: record.answeredBy,
    note: record.note,
    used_at: record.usedAt,
  };
}

/** Types are asserted: toApprovalRow has written the row. */
export function toApproval(row: ApprovalRow): ApprovalRecord {
  return {
    id: row.id,
    state: row.state as ApprovalState,
    digest: row.digest,
    session: row.session,
    task: row.task,
    profile: row.profile,
    command: row.command,
    cwd: row.cwd,
    reasons: JSON.parse(row.reasons) as PolicyReason[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    answeredAt: row.answered_at,
    answer: row.answer as ApprovalAnswer | null,
    answeredBy: row.answered_by,
    note: row.note,
    usedAt: row.used_at,
  };
}
