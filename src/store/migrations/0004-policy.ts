// Version 4: approvals, grants and the audit log of policies.
import { sql, type Kysely } from "kysely";

export async function policy(db: Kysely<unknown>): Promise<void> {
  await createApprovals(db);
  await db.schema
    .createTable("grants")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("session", "text")
    .addColumn("profile", "text")
    // Null: every rule that asks.
    .addColumn("rule", "text")
    // Of the rule as it was then: one that was changed asks again.
    .addColumn("digest", "text")
    .addColumn("by", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .execute();
  await db.schema.createIndex("grants_by_session").on("grants").column("session").execute();
  await db.schema
    .createTable("audit")
    // Autoincrement: a cursor that was given once never means another entry.
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("what", "text", (column) => column.notNull())
    .addColumn("decision", "text", (column) => column.notNull())
    .addColumn("session", "text")
    .addColumn("task", "text")
    .addColumn("profile", "text")
    .addColumn("command", "text")
    .addColumn("cwd", "text")
    .addColumn("rules", "text", (column) => column.notNull())
    .addColumn("approval", "text")
    .addColumn("by", "text", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("audit_by_session").on("audit").columns(["session", "seq"]).execute();
}

async function createApprovals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("approvals")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('pending', 'approved', 'refused', 'expired')`),
    )
    .addColumn("digest", "text", (column) => column.notNull())
    .addColumn("session", "text")
    .addColumn("task", "text")
    .addColumn("profile", "text", (column) => column.notNull())
    .addColumn("command", "text", (column) => column.notNull())
    .addColumn("cwd", "text", (column) => column.notNull())
    .addColumn("reasons", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("answered_at", "bigint")
    .addColumn("answer", "text")
    .addColumn("answered_by", "text")
    .addColumn("note", "text")
    .addColumn("used_at", "bigint")
    .execute();
  // Two requests for the same thing at the same moment share one row.
  await db.schema
    .createIndex("approvals_pending")
    .on("approvals")
    .column("digest")
    .unique()
    .where(sql.ref("state"), "=", sql.lit("pending"))
    .execute();
  await db.schema
    .createIndex("approvals_by_state")
    .on("approvals")
    .columns(["state", "expires_at"])
    .execute();
  await db.schema
    .createIndex("approvals_by_digest")
    .on("approvals")
    .columns(["digest", "created_at"])
    .execute();
  await db.schema
    .createIndex("approvals_by_session")
    .on("approvals")
    .columns(["session", "created_at"])
    .execute();
}
