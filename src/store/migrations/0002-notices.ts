// Version 2: watches, the outbox and what pushes it, delegations, wait barriers, sessions.
import { sql, type CreateTableBuilder, type Kysely } from "kysely";

export async function notices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("processes")
    .addColumn("kind", "text", (column) => column.notNull().defaultTo("process"))
    .execute();
  await db.schema
    .alterTable("processes")
    .addColumn("notify", "text", (column) => column.notNull().defaultTo("off"))
    .execute();
  await createOutbox(db);
  await createSinks(db);
  await createWatches(db);
  await createSessions(db);
}

function owned<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table> {
  return table
    .addColumn("session", "text")
    .addColumn("task", "text")
    .addColumn("profile", "text", (column) => column.notNull())
    .addColumn("origin", "text");
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await owned(
    db.schema
      .createTable("notices")
      // Autoincrement: a cursor that was given once never means another notice.
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      // No foreign key: what nobody has read outlives its process's record if that is removed by hand.
      .addColumn("process_id", "text"),
  )
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('recorded', 'pending', 'seen', 'acknowledged')`),
    )
    .addColumn("observed_at", "bigint")
    .addColumn("settled_at", "bigint")
    .addColumn("settled_by", "text")
    .addColumn("lease_by", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("data", "text", (column) => column.notNull())
    .execute();
  const indexes = [
    ["notices_by_state", ["state", "seq"]],
    ["notices_by_session", ["session", "state", "seq"]],
    ["notices_by_process", ["process_id", "seq"]],
  ] as const;
  for (const [name, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on("notices")
      .columns([...columns])
      .execute();
  }
}

async function createSinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sinks")
    .addColumn("name", "text", (column) => column.primaryKey().notNull())
    // Notices after this one have not been looked at for this sink.
    .addColumn("cursor", "integer", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('enabled', 'disabled')`))
    .addColumn("reason", "text")
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("deliveries")
    .addColumn("notice_id", "text", (column) => column.notNull().references("notices.id").onDelete("cascade"))
    .addColumn("sink", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('pending', 'delivered', 'dead', 'needs_person')`),
    )
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("last_error", "text")
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("deliveries_key", ["notice_id", "sink"])
    .execute();
  await db.schema
    .createIndex("deliveries_by_turn")
    .on("deliveries")
    .columns(["sink", "state", "next_at"])
    .execute();
}

async function createWatches(db: Kysely<unknown>): Promise<void> {
  const ofProcess = (table: CreateTableBuilder<string>) =>
    table.addColumn("process_id", "text", (column) =>
      column.notNull().references("processes.id").onDelete("cascade"),
    );
  await ofProcess(
    db.schema.createTable("watches").addColumn("id", "text", (column) => column.primaryKey().notNull()),
  )
    .addColumn("spec", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('active', 'ended')`))
    .addColumn("from_offset", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("hits", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("last_hit_at", "bigint")
    .addColumn("last_hit_offset", "bigint")
    .execute();
  await db.schema.createIndex("watches_by_process").on("watches").column("process_id").execute();
  // How far the watches of a process have come, and how they stand with the limits of pushing.
  await ofProcess(db.schema.createTable("watch_progress"))
    .addColumn("resume_at", "bigint", (column) => column.notNull())
    .addColumn("push", "text", (column) => column.notNull())
    .addColumn("gaps", "text", (column) => column.notNull().defaultTo("[]"))
    .addPrimaryKeyConstraint("watch_progress_key", ["process_id"])
    .execute();
  await db.schema
    .createTable("watch_counts")
    .addColumn("watch_id", "text", (column) => column.notNull().references("watches.id").onDelete("cascade"))
    .addColumn("segment", "bigint", (column) => column.notNull())
    .addColumn("hits", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("watch_counts_key", ["watch_id", "segment"])
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sessions")
    .addColumn("key", "text", (column) => column.primaryKey().notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("active_at", "bigint", (column) => column.notNull())
    .addColumn("busy_by", "text")
    .addColumn("busy_until", "bigint")
    // Resumptions in a row without a person.
    .addColumn("resumptions", "integer", (column) => column.notNull().defaultTo(0))
    // The wait barrier: one per session.
    .addColumn("barrier", "text")
    .execute();
  await owned(
    db.schema.createTable("delegations").addColumn("id", "text", (column) => column.primaryKey().notNull()),
  )
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("work", "text", (column) => column.notNull())
    .addColumn("result", "text")
    .addColumn("delegate", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .execute();
  await db.schema
    .createIndex("delegations_by_state")
    .on("delegations")
    .columns(["state", "created_at"])
    .execute();
}
