// The sinks of the store: how far the outbox was looked through for each, and whether it is turned off.
import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { StoreTables } from "./tables.ts";

export interface SinkRecord {
  readonly name: string;
  readonly state: "enabled" | "disabled";
  readonly reason: string | null;
}

const settingsPrefix = "sink_settings:";

export class SinkStates {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /**
   * A sink that is new gets what happens from now on. One whose settings are no longer those it was turned off with, or
   * gave deliveries up with, is tried again.
   */
  async open(name: string, settings: string, nowMs: number): Promise<void> {
    const digest = createHash("sha256").update(settings).digest("hex");
    await this.#db.transaction().execute(async (trx) => {
      const newest = await trx
        .selectFrom("notices")
        .select(({ fn }) => fn.max("seq").as("seq"))
        .executeTakeFirst();
      await trx
        .insertInto("sinks")
        .values({ name, cursor: newest?.seq ?? 0, state: "enabled", reason: null, changed_at: nowMs })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const key = `${settingsPrefix}${name}`;
      const known = await trx.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst();
      if (known?.value === digest) return;
      if (known !== undefined) await tryAgain(trx, name, nowMs);
      await trx
        .insertInto("meta")
        .values({ key, value: digest })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: digest }))
        .execute();
    });
  }

  async disable(name: string, reason: string, nowMs: number): Promise<void> {
    const changes = { state: "disabled", reason, changed_at: nowMs };
    await this.#db.updateTable("sinks").set(changes).where("name", "=", name).execute();
  }

  /** Those of these names that are turned off. */
  async disabled(names: readonly string[]): Promise<SinkRecord[]> {
    const rows = await this.#db
      .selectFrom("sinks")
      .selectAll()
      .where("state", "=", "disabled")
      .where("name", "in", names)
      .orderBy("name")
      .execute();
    return rows.map(({ name, reason }) => ({ name, state: "disabled", reason }));
  }

  /** Whoever asks for a notice again wants it to arrive: sinks that were turned off are tried again too. */
  async enableOf(noticeId: string, nowMs: number): Promise<void> {
    const sinks = this.#db.selectFrom("deliveries").select("sink").where("notice_id", "=", noticeId);
    await this.#db
      .updateTable("sinks")
      .set({ state: "enabled", reason: null, changed_at: nowMs })
      .where("state", "=", "disabled")
      .where("name", "in", sinks)
      .execute();
  }
}

async function tryAgain(trx: Transaction<StoreTables>, name: string, nowMs: number): Promise<void> {
  await trx
    .updateTable("sinks")
    .set({ state: "enabled", reason: null, changed_at: nowMs })
    .where("name", "=", name)
    .where("state", "=", "disabled")
    .execute();
  await trx
    .updateTable("deliveries")
    .set({ state: "pending", attempts: 0, next_at: nowMs, changed_at: nowMs })
    .where("sink", "=", name)
    .where("state", "=", "dead")
    .execute();
}
