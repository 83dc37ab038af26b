// Version 1: processes and events. Never changed once released: stores of this version are there.
import { sql, type Kysely } from "kysely";

export async function initial(db: Kysely<unknown>): Promise<void> {
  await createProcesses(db);
  await createLabels(db);
  await db.schema
    .createTable("events")
    // Autoincrement: a cursor that was given once never means another event.
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    // No foreign key: the event that a process was removed outlives it.
    .addColumn("process_id", "text")
    .addColumn("data", "text", (column) => column.notNull())
    .execute();
}

async function createProcesses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("processes")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("name", "text")
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('starting', 'running', 'stopping', 'ended')`),
    )
    .addColumn("command", "text", (column) => column.notNull())
    .addColumn("argv", "text", (column) => column.notNull())
    .addColumn("cwd", "text", (column) => column.notNull())
    .addColumn("mode", "text", (column) => column.notNull())
    .addColumn("spec", "text", (column) => column.notNull())
    .addColumn("session", "text")
    .addColumn("task", "text")
    .addColumn("profile", "text", (column) => column.notNull())
    .addColumn("origin", "text")
    .addColumn("labels", "text", (column) => column.notNull())
    .addColumn("lifetime", "text", (column) => column.notNull())
    .addColumn("idempotency_key", "text", (column) => column.unique())
    .addColumn("pid", "integer")
    .addColumn("child_start", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("ended_at", "bigint")
    .addColumn("exit", "text")
    .addColumn("stop_requester", "text")
    .addColumn("output_bytes", "bigint", (column) => column.notNull())
    .addColumn("output_removed", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("processes_live_name")
    .on("processes")
    .column("name")
    .unique()
    .where(sql.ref("state"), "<>", sql.lit("ended"))
    .execute();
  const indexes = [
    ["processes_by_creation", ["created_at", "id"]],
    ["processes_by_state", ["state", "ended_at"]],
    ["processes_by_session", ["session", "created_at"]],
    ["processes_by_task", ["task", "created_at"]],
  ] as const;
  for (const [name, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on("processes")
      .columns([...columns])
      .execute();
  }
}

async function createLabels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("process_labels")
    .addColumn("process_id", "text", (column) =>
      column.notNull().references("processes.id").onDelete("cascade"),
    )
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("process_labels_key", ["process_id", "key"])
    .execute();
  await db.schema
    .createIndex("process_labels_by_value")
    .on("process_labels")
    .columns(["key", "value"])
    .execute();
}
