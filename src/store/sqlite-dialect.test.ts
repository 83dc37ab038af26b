import { DatabaseSync } from "node:sqlite";
import { Kysely, sql, type Generated } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { SqliteDialect } from "./sqlite-dialect.ts";

interface Tables {
  pets: { id: Generated<number>; name: string };
}

function open(): { db: Kysely<Tables>; database: DatabaseSync; dialect: SqliteDialect } {
  const database = new DatabaseSync(":memory:");
  database.exec("create table pets (id integer primary key, name text not null unique)");
  const dialect = new SqliteDialect({ database });
  onTestFinished(() => dialect.close());
  return { db: new Kysely<Tables>({ dialect }), database, dialect };
}

const named = (name: string) => ({ name });

test("rows, counts and ids come back", async () => {
  const { db } = open();
  const inserted = await db.insertInto("pets").values(named("cat")).executeTakeFirst();
  expect(inserted).toMatchObject({ insertId: 1n, numInsertedOrUpdatedRows: 1n });
  const row = await db.insertInto("pets").values(named("dog")).returningAll().executeTakeFirst();
  expect(row).toEqual({ id: 2, name: "dog" });
  expect(await db.selectFrom("pets").select("name").orderBy("id").execute()).toEqual([
    named("cat"),
    named("dog"),
  ]);
  const changed = await db.updateTable("pets").set(named("cow")).where("id", ">", 5).executeTakeFirst();
  expect(changed.numUpdatedRows).toBe(0n);
});

test("a query may be streamed while the same one is asked again by others afterwards", async () => {
  const { db } = open();
  const names = ["a", "b", "c", "d", "e"];
  await db.insertInto("pets").values(names.map(named)).execute();
  const seen: string[] = [];
  for await (const { name } of db.selectFrom("pets").selectAll().orderBy("id").stream(2)) seen.push(name);
  expect(seen).toEqual(names);
  for await (const { name } of db.selectFrom("pets").selectAll().stream()) {
    expect(name).toBe("a");
    break;
  }
  expect(await db.selectFrom("pets").selectAll().execute()).toHaveLength(5);
});

test("more different queries than are remembered all work", async () => {
  const { db } = open();
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 450; number++) {
      const { rows } = await sql<{ answer: number }>`select ${sql.lit(number)} as answer`.execute(db);
      expect(rows).toEqual([{ answer: number }]);
    }
  }
});

test("a statement that fails leaves the transaction to its owner, one that SQLite ended is not ended twice", async () => {
  const { db, database } = open();
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("pets").values(named("cat")).execute();
    const again = trx.insertInto("pets").values(named("cat")).execute();
    await expect(again).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    await trx.insertInto("pets").values(named("dog")).execute();
  });
  const ended = db.transaction().execute(async (trx) => {
    await trx.insertInto("pets").values(named("cow")).execute();
    await sql`insert or rollback into pets (name) values ('cat')`.execute(trx);
  });
  await expect(ended).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(database.isTransaction).toBe(false);
  expect(await db.selectFrom("pets").selectAll().execute()).toHaveLength(2);
});

test("a closed one is told as closed", async () => {
  const { db, dialect } = open();
  await dialect.close();
  await expect(db.selectFrom("pets").selectAll().execute()).rejects.toMatchObject({ code: "STORE_CLOSED" });
});
