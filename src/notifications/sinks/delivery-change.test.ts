import { expect, test } from "vitest";
import { HoldfastError } from "../../protocol/errors.ts";
import { changeFor, outcomeOfError } from "./delivery-change.ts";

const options = { scheduleMs: [100, 1_000], nowMs: 50_000, random: () => 0 };

test("a failure is tried again by the schedule, with some chance, then given up", () => {
  const retry = { kind: "retry", error: "no" } as const;
  expect(changeFor(retry, 0, options)).toEqual({
    state: "pending",
    attempts: 1,
    nextAt: 50_100,
    lastError: "no",
  });
  expect(changeFor(retry, 1, { ...options, random: () => 1 })).toMatchObject({ attempts: 2, nextAt: 51_200 });
  expect(changeFor(retry, 2, options)).toEqual({
    state: "dead",
    attempts: 3,
    nextAt: 50_000,
    lastError: "no",
  });
});

test("what the other side asks for makes a pause longer, never shorter", () => {
  expect(changeFor({ kind: "retry", error: "no", afterMs: 7_000 }, 0, options).nextAt).toBe(57_000);
  expect(changeFor({ kind: "retry", error: "no", afterMs: 1 }, 0, options).nextAt).toBe(50_100);
});

test("to put off counts as no attempt and forgets the error; a person, a refusal and the end of a sink do not", () => {
  expect(changeFor({ kind: "defer", afterMs: 10 }, 3, options)).toEqual({
    state: "pending",
    attempts: 3,
    nextAt: 50_010,
    lastError: null,
  });
  expect(changeFor({ kind: "delivered" }, 3, options)).toMatchObject({ state: "delivered", attempts: 4 });
  expect(changeFor({ kind: "needs_person", error: "why" }, 0, options)).toMatchObject({
    state: "needs_person",
    lastError: "why",
  });
  for (const kind of ["dead", "disable"] as const)
    expect(changeFor({ kind, error: "why" }, 0, options)).toMatchObject({ state: "dead", lastError: "why" });
});

test("a full machine and a daemon that goes are nobody's failure", () => {
  for (const code of ["TOO_MANY_PROCESSES", "DAEMON_STOPPING", "STORE_FULL"] as const)
    expect(outcomeOfError(new HoldfastError(code, "x"))).toEqual({ kind: "defer", afterMs: 5_000 });
  expect(outcomeOfError(new Error("x"))).toEqual({ kind: "retry", error: "x" });
  expect(outcomeOfError("x")).toEqual({ kind: "retry", error: "x" });
});
