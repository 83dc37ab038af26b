// Version 5: what a session has seen of a process, and what was shared with it. Both go with the process.
import { sql, type Kysely } from "kysely";

export async function scopes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("cursors")
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("process_id", "text", (column) =>
      column.notNull().references("processes.id").onDelete("cascade"),
    )
    .addColumn("offset", "bigint", (column) => column.notNull())
    .addColumn("screen", "text")
    .addColumn("looked_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("cursors_key", ["session", "process_id"])
    .execute();
  await db.schema.createIndex("cursors_by_time").on("cursors").columns(["session", "looked_at"]).execute();
  await db.schema.createIndex("cursors_by_process").on("cursors").column("process_id").execute();
  await db.schema
    .createTable("shares")
    .addColumn("process_id", "text", (column) =>
      column.notNull().references("processes.id").onDelete("cascade"),
    )
    // The empty text, which is no key: every session.
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("right", "text", (column) => column.notNull().check(sql`"right" in ('read', 'control')`))
    .addColumn("by", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("shares_key", ["process_id", "session"])
    .execute();
  await db.schema.createIndex("shares_by_session").on("shares").column("session").execute();
}
