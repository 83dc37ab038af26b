import { expect, test } from "vitest";
import { operationNames, operations, type Operations } from "../protocol/operations.ts";
import { inputForRepeat, isRepeatable } from "./repeat.ts";
import { verbKinds, verbsOf } from "./verbs.ts";

test("the list of verbs says the same as the operations table", () => {
  const table = operationNames.map((name) => [name, operations[name].reads ? "reads" : "changes"]);
  expect(verbKinds).toEqual(Object.fromEntries(table));
});

test("every verb is a method that calls it", async () => {
  const called: unknown[] = [];
  const recorder: Operations = {
    call: (...call) => {
      called.push(call);
      return Promise.resolve({} as never);
    },
  };
  const verbs = verbsOf(recorder);
  await verbs.process.closeStdin({ id: "a" });
  await verbs.process.list();
  await verbs.gc({ dryRun: true });
  expect(called).toEqual([
    ["process.close-stdin", { id: "a" }, undefined],
    ["process.list", {}, undefined],
    ["gc", { dryRun: true }, undefined],
  ]);
  const methods = Object.values(verbs).flatMap((group): unknown[] =>
    typeof group === "function" ? [group] : Object.values(group),
  );
  expect(methods).toHaveLength(operationNames.length);
});

test("what may be asked twice: reading, a start with a key, bytes with a sequence; never a stop of the daemon", () => {
  expect(isRepeatable("process.list", {})).toBe(true);
  expect(isRepeatable("daemon.stop", {})).toBe(false);
  expect(isRepeatable("process.start", { command: "x" })).toBe(false);
  expect(isRepeatable("process.start", { command: "x", idempotencyKey: "k" })).toBe(true);
  const parts = [{ text: "x" }];
  expect(isRepeatable("process.write", { id: "a", parts })).toBe(false);
  expect(isRepeatable("process.write", { id: "a", parts, writer: { id: "0".repeat(16), sequence: 0 } })).toBe(
    true,
  );
  expect(isRepeatable("process.stop", { ids: ["a"] })).toBe(false);
});

test("a wait that is asked again has only the rest of its time", () => {
  expect(inputForRepeat("process.wait", { ids: ["a"], timeoutMs: 1_000 }, 400)).toEqual({
    ids: ["a"],
    timeoutMs: 600,
  });
  expect(inputForRepeat("process.wait", { ids: ["a"], timeoutMs: 1_000 }, 5_000)).toMatchObject({
    timeoutMs: 1,
  });
  expect(inputForRepeat("process.wait", { ids: ["a"] }, 5_000)).toEqual({ ids: ["a"] });
  expect(inputForRepeat("process.get", { id: "a" }, 5_000)).toEqual({ id: "a" });
  const lock = { scope: "s", identity: "i" };
  expect(isRepeatable("lock.acquire", lock)).toBe(true);
  expect(isRepeatable("lock.release", lock)).toBe(false);
  expect(inputForRepeat("lock.acquire", { ...lock, waitMs: 1_000 }, 400)).toEqual({ ...lock, waitMs: 600 });
  expect(inputForRepeat("lock.acquire", { ...lock, waitMs: 1_000 }, 5_000)).toEqual({ ...lock, waitMs: 0 });
});
