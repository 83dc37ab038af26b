// Version 6: who may enter by the network.
import { sql, type Kysely } from "kysely";

export async function access(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credentials")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('session', 'token')`))
    // SHA-256 of the secret, which only its bearer has.
    .addColumn("digest", "text", (column) => column.notNull().unique())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) =>
      column.notNull().check(sql`role in ('viewer', 'operator', 'admin')`),
    )
    .addColumn("via", "text", (column) => column.notNull())
    // Of what the sign-in rested on: when that changes, it is over.
    .addColumn("proof", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("used_at", "bigint")
    .execute();
  // A token is named when it is revoked.
  await db.schema
    .createIndex("credentials_token_name")
    .on("credentials")
    .column("name")
    .unique()
    .where(sql.ref("kind"), "=", sql.lit("token"))
    .execute();
}
