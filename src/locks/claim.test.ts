import { expect, test } from "vitest";
import { parseClaim, parseUpdate, renderClaim, renderUpdate } from "./claim.ts";

const owner = { pid: 7, startTime: 99, bootId: "b", pidNamespace: "pid:[1]", command: "sh" };
const claim = { owner, meta: { a: "1", __proto__x: "2" }, acquiredAt: "2026-01-02T03:04:05.678Z" };

test("a claim and an update are read as they were written", () => {
  expect(parseClaim(renderClaim(claim))).toEqual(claim);
  const update = { meta: { b: "\u001b[2J" }, updatedAt: "2026-01-02T03:04:06.000Z" };
  expect(parseUpdate(renderUpdate(update))).toEqual(update);
});

test("empty, cut and foreign texts name nobody", () => {
  const whole = renderClaim(claim);
  const cut = Array.from({ length: whole.length - 2 }, (_, length) => whole.slice(0, length));
  const foreign = [
    "null",
    "[]",
    "7",
    '"x"',
    "{}",
    '{"owner":null}',
    "\0\0\0\0",
    '{"format":1,"owner":{"pid":7}}',
  ];
  for (const text of [...cut, ...foreign]) expect(parseClaim(text), text).toBeUndefined();
  expect(parseUpdate("")).toBeUndefined();
});

test.for([
  ["pid", 0],
  ["pid", 1.5],
  ["pid", "7"],
  ["startTime", -1],
  ["bootId", null],
  ["pidNamespace", 3],
])("an owner whose %s is %s is nobody", ([field, value]) => {
  const wrong = { ...claim, owner: { ...owner, [String(field)]: value } };
  expect(parseClaim(JSON.stringify({ format: 1, ...wrong }))).toBeUndefined();
});

test("of a newer release's claim nothing is concluded", () => {
  expect(parseClaim('{"format":2,"holder":"somebody"}')).toBe("newer");
});

test("meta that nobody could have given is left out", () => {
  const meta = (value: unknown) => {
    const parsed = parseClaim(JSON.stringify({ format: 1, ...claim, meta: value }));
    return typeof parsed === "object" ? parsed.meta : parsed;
  };
  expect(meta({ a: 1, b: "2" })).toEqual({ b: "2" });
  expect(meta({ a: "x".repeat(1_025) })).toEqual({});
  expect(meta("x")).toEqual({});
});
