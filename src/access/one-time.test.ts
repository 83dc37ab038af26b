import { expect, test } from "vitest";
import { Attempts } from "./attempts.ts";
import { OneTime } from "./one-time.ts";

test("a secret counts once, up to the very end of its time", () => {
  let now = 0;
  const open = new OneTime<string>({ lifeMs: 30_000, most: 10, now: () => now });
  const [atEnd, late, twice] = ["a", "b", "c"].map((value) => open.issue(value).secret);
  expect(open.take(twice ?? "")).toBe("c");
  expect(open.take(twice ?? "")).toBeUndefined();
  expect(open.take("")).toBeUndefined();
  now = 30_000;
  expect(open.take(atEnd ?? "")).toBe("a");
  now = 30_001;
  expect(open.take(late ?? "")).toBeUndefined();
});

test("of too many the oldest are forgotten, and those whose time is over make room first", () => {
  let now = 0;
  const open = new OneTime<number>({ lifeMs: 100, most: 3, now: () => now });
  const first = [1, 2, 3, 4].map((value) => open.issue(value).secret);
  expect(first.map((secret) => open.take(secret))).toEqual([undefined, 2, 3, 4]);
  const old = open.issue(5).secret;
  now = 101;
  const next = [6, 7, 8].map((value) => open.issue(value).secret);
  expect(open.take(old)).toBeUndefined();
  expect(next.map((secret) => open.take(secret))).toEqual([6, 7, 8]);
});

test("failures are counted before their outcome is known, and forgotten in time", () => {
  let now = 0;
  const attempts = new Attempts({ most: 2, withinMs: 1_000, mostNames: 10, now: () => now });
  expect([attempts.begin("a"), attempts.begin("a"), attempts.begin("a")]).toEqual([
    undefined,
    undefined,
    1_000,
  ]);
  expect(attempts.begin("b")).toBeUndefined();
  attempts.succeeded("a");
  expect(attempts.begin("a")).toBeUndefined();
  now = 400;
  expect(attempts.begin("a")).toBe(600);
  now = 1_000;
  expect(attempts.begin("a")).toBeUndefined();
});

test("a stranger with many names fills no memory, and frees nobody who failed just now", () => {
  const attempts = new Attempts({ most: 1, withinMs: 1_000, mostNames: 3, now: () => 0 });
  for (const name of ["a", "b", "c", "d"]) expect(attempts.begin(name)).toBeUndefined();
  expect(["b", "c", "d"].map((name) => attempts.begin(name))).toEqual([1_000, 1_000, 1_000]);
  expect(attempts.begin("a")).toBeUndefined();
});
