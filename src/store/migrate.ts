// Brings a store to the version of this build, one transaction for each step.
import type { Kysely } from "kysely";
import { HoldfastError } from "../protocol/errors.ts";
import { initial } from "./migrations/0001-initial.ts";
import { notices } from "./migrations/0002-notices.ts";
import { sessions } from "./migrations/0003-sessions.ts";
import { policy } from "./migrations/0004-policy.ts";
import { scopes } from "./migrations/0005-scopes.ts";
import { access } from "./migrations/0006-access.ts";
import type { StoreTables } from "./tables.ts";

/** The step at index N makes version N + 1. */
const steps: readonly ((db: Kysely<unknown>) => Promise<void>)[] = [
  initial,
  notices,
  sessions,
  policy,
  scopes,
  access,
];

export const storeVersion = steps.length;

const versionKey = "schema_version";

/** @throws HoldfastError STORE_TOO_NEW */
export function refuseNewer(file: string, version: number): void {
  if (version <= storeVersion) return;
  const message = `${file} has version ${version}; this Holdfast knows versions up to ${storeVersion}.`;
  throw new HoldfastError("STORE_TOO_NEW", message, { details: { file, version, known: storeVersion } });
}

/** From the version the store has to the newest; a step that fails leaves the version before it. */
export async function migrate(db: Kysely<StoreTables>, fromVersion: number): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const version = index + 1;
    if (version <= fromVersion) continue;
    await db.transaction().execute(async (trx) => {
      if (version === 1) await createMeta(trx);
      // A step sees its own tables, not the newest ones that the type names.
      await step(trx as unknown as Kysely<unknown>);
      await writeVersion(trx, version);
    });
  }
}

async function createMeta(db: Kysely<StoreTables>): Promise<void> {
  await db.schema
    .createTable("meta")
    .addColumn("key", "text", (column) => column.primaryKey().notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
}

async function writeVersion(db: Kysely<StoreTables>, version: number): Promise<void> {
  const value = String(version);
  await db
    .insertInto("meta")
    .values({ key: versionKey, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}
