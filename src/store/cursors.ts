// How far each session has looked at each process. Only a help for who comes back: what is forgotten is told again from the beginning.
import type { Kysely } from "kysely";
import type { StoreTables } from "./tables.ts";

export interface CursorRecord {
  /** Of the output: everything before was told. */
  readonly offset: number;
  /** Of each line of the screen as it was told last; null: it was not looked at. */
  readonly screen: readonly string[] | null;
}

// More processes than an agent looks at in its life; those it has not looked at for longest go first.
const mostPerSession = 1_000;

export class Cursors {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(session: string, processId: string): Promise<CursorRecord | undefined> {
    const row = await this.#db
      .selectFrom("cursors")
      .select(["offset", "screen"])
      .where("session", "=", session)
      .where("process_id", "=", processId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { offset, screen } = row;
    return { offset, screen: screen === null ? null : (JSON.parse(screen) as string[]) }; // written below
  }

  /** What is not given stays as it was. Nothing is written for a process that is gone. */
  async set(
    session: string,
    processId: string,
    changes: Partial<CursorRecord>,
    nowMs: number,
  ): Promise<void> {
    const { offset, screen } = changes;
    const row = {
      looked_at: nowMs,
      ...(offset === undefined ? {} : { offset }),
      ...(screen === undefined ? {} : { screen: screen === null ? null : JSON.stringify(screen) }),
    };
    await this.#db
      .insertInto("cursors")
      .columns(["session", "process_id", "offset", "screen", "looked_at"])
      .expression((eb) =>
        eb
          .selectFrom("processes")
          .select((of) => [
            of.val(session).as("session"),
            "id",
            of.val(row.offset ?? 0).as("offset"),
            of.val(row.screen ?? null).as("screen"),
            of.val(nowMs).as("looked_at"),
          ])
          .where("id", "=", processId),
      )
      .onConflict((conflict) => conflict.columns(["session", "process_id"]).doUpdateSet(row))
      .execute();
    await this.#forgetOldest(session);
  }

  async deleteOf(session: string): Promise<void> {
    await this.#db.deleteFrom("cursors").where("session", "=", session).execute();
  }

  async #forgetOldest(session: string): Promise<void> {
    const oldest = await this.#db
      .selectFrom("cursors")
      .select("looked_at")
      .where("session", "=", session)
      .orderBy("looked_at", "desc")
      .offset(mostPerSession)
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) return;
    await this.#db
      .deleteFrom("cursors")
      .where("session", "=", session)
      .where("looked_at", "<=", oldest.looked_at)
      .execute();
  }
}
