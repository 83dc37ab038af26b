import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { SharedCommit, type Run } from "./shared-commit.ts";
import { Turns } from "./turns.ts";

function openCommits(): { commits: SharedCommit; database: DatabaseSync; ran: string[]; turns: Turns } {
  const database = new DatabaseSync(":memory:");
  database.exec("create table numbers (number integer primary key) strict");
  const turns = new Turns();
  const ran: string[] = [];
  const run: Run = (sql, parameters = []) => {
    ran.push(sql);
    database.prepare(sql).run(...(parameters as number[]));
    return { rows: [] };
  };
  const commits = new SharedCommit({
    run,
    take: () => turns.take(),
    give: () => turns.give(),
    isInTransaction: () => database.isTransaction,
  });
  return { commits, database, ran, turns };
}

const insert =
  (number: number) =>
  (run: Run): number => {
    run("insert into numbers values (?)", [number]);
    return number;
  };

const numbersIn = (database: DatabaseSync): unknown[] =>
  database
    .prepare("select number from numbers order by number")
    .all()
    .map((row) => row["number"]);

test("changes of the same moment share a commit, each has its own result", async () => {
  const { commits, database, ran } = openCommits();
  expect(await Promise.all([1, 2, 3].map((number) => commits.add(insert(number))))).toEqual([1, 2, 3]);
  expect(ran.filter((sql) => sql === "commit")).toHaveLength(1);
  expect(numbersIn(database)).toEqual([1, 2, 3]);
});

test("a change that fails fails alone and leaves nothing", async () => {
  const { commits, database } = openCommits();
  const failing = (run: Run): void => {
    insert(7)(run);
    insert(1)(run);
  };
  const all = await Promise.allSettled([
    commits.add(insert(1)),
    commits.add(failing),
    commits.add(insert(3)),
  ]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(numbersIn(database)).toEqual([1, 3]);
  expect(database.isTransaction).toBe(false);
});

test("the connection is waited for, and given back", async () => {
  const { commits, database, turns } = openCommits();
  await turns.take();
  const waiting = commits.add(insert(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(numbersIn(database)).toEqual([]);
  turns.give();
  expect(await waiting).toBe(1);
  await turns.take(); // would never come
});
