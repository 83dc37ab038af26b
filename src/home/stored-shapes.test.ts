import { expect, test } from "vitest";
import type { z } from "zod";
import { daemonRecordSchema, runtimeStatusSchema } from "../protocol/daemon.ts";
import { parseRecord, parseStatus } from "./stored-shapes.ts";

const identity = { pid: 4711, startTime: 99, bootId: "b", pidNamespace: "pid:[1]" };
const at = "2026-01-02T03:04:05.678Z";
const record = { ...identity, argv: ["node", "main"], home: "/h", version: "1.0.0", isEmbedded: true };
const listener = { name: "socket", address: "/h/s", state: "failed", errorCode: "EACCES", message: "no", at };
const status = {
  writer: identity,
  version: "1.0.0",
  supervisor: { kind: "systemd", name: "holdfast.service" },
  state: "degraded",
  exitReason: null,
  restartRequested: false,
  active: { processes: 3 },
  listeners: [listener],
  startedAt: at,
  updatedAt: at,
  previousEnd: { how: "killed", reason: null, pid: 1, version: "1.0.0", startedAt: null, lastSeenAt: at },
};

const strangers = [undefined, null, true, "", "text", at, -1, 0, 1.5, 2 ** 60, [], [1], {}];

/** The value itself, and with every part of it, at any depth, exchanged for something else or taken out. */
function* variants(value: unknown): Generator {
  yield* strangers;
  if (Array.isArray(value)) {
    for (const part of variants(value[0])) yield [part];
  } else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      for (const other of variants(part)) yield { ...value, [name]: other };
      yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    }
    yield { ...value, ofANewerRelease: 1 };
  }
}

function compare(value: unknown, schema: z.ZodType, parse: (value: unknown) => unknown): number {
  let accepted = 0;
  for (const variant of variants(value)) {
    const text = JSON.stringify(variant);
    const stored: unknown = text === undefined ? undefined : JSON.parse(text);
    const bySchema = schema.safeParse(stored);
    const byHand = parse(stored);
    expect(byHand !== undefined, text).toBe(bySchema.success);
    // What the schema passes on, without the fields it does not know.
    expect(schema.safeParse(byHand).data, text).toEqual(bySchema.data);
    accepted += Number(bySchema.success);
  }
  return accepted;
}

test("a record is believed exactly when its schema takes it", () => {
  expect(parseRecord(record)).toEqual(record);
  expect(compare(record, daemonRecordSchema, parseRecord)).toBeGreaterThan(10);
});

test("a status is believed exactly when its schema takes it", () => {
  expect(parseStatus(status)).toEqual(status);
  expect(compare(status, runtimeStatusSchema, parseStatus)).toBeGreaterThan(10);
});
