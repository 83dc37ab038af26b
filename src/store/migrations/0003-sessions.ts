// Version 3: sessions that end, and where their shells are.
import type { Kysely } from "kysely";

export async function sessions(db: Kysely<unknown>): Promise<void> {
  // The working directory only: variables of a session are never on disk.
  await db.schema.alterTable("sessions").addColumn("cwd", "text").execute();
  await db.schema.alterTable("sessions").addColumn("ended_at", "bigint").execute();
  await db.schema.alterTable("processes").addColumn("end_cwd", "text").execute();
}
