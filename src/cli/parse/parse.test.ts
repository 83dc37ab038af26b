import { describe, expect, test } from "vitest";
import { parseCondition } from "./condition.ts";
import { parseDuration, parsePositiveDuration } from "./duration.ts";
import { collectKeyValue } from "./key-value.ts";
import { parseCount, parsePositive, parseSide } from "./numbers.ts";
import { parseSize } from "./size.ts";

const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" }) as Error;

describe("durations", () => {
  test.for([
    ["90s", 90_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["1.5s", 1_500],
    ["2d", 172_800_000],
    ["10", 10_000],
    ["0", 0],
  ] as const)("%s", ([text, ms]) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.for(["", "s", "5x", "-5s", "5s ", "1h-3m", "Infinity", "1e3"])("%j is none", (text) => {
    expect(() => parseDuration(text)).toThrow(invalid);
  });

  test("zero is no timeout", () => {
    expect(() => parsePositiveDuration("0s")).toThrow(invalid);
  });
});

describe("sizes", () => {
  test.for([
    ["512", 512],
    ["64k", 65_536],
    ["16MiB", 16_777_216],
    ["2G", 2_147_483_648],
    ["1.5kb", 1_536],
    ["7b", 7],
  ] as const)("%s", ([text, bytes]) => {
    expect(parseSize(text)).toBe(bytes);
  });

  test.for(["", "0", "-1", "5X", "k", "99999999999T"])("%j is none", (text) => {
    expect(() => parseSize(text)).toThrow(invalid);
  });
});

test("whole numbers", () => {
  expect(parseCount("0")).toBe(0);
  expect(parsePositive("12")).toBe(12);
  for (const text of ["", "-1", "1.5", "0x10", "99999999999999999999"])
    expect(() => parseCount(text)).toThrow(invalid);
  expect(() => parsePositive("0")).toThrow(invalid);
});

test("a side of a terminal is any number: what cannot be is clamped, not refused", () => {
  const sides = ["0", "-3", "1.5", "99999999999999999999"];
  expect(sides.map(parseSide)).toEqual([0, -3, 1.5, 1e20]);
  for (const text of ["", "x", "8x", "NaN", "-"]) expect(() => parseSide(text)).toThrow(invalid);
});

test("key and value, where the value may hold anything", () => {
  expect(collectKeyValue("b=c=d", collectKeyValue("a="))).toEqual({ a: "", b: "c=d" });
  for (const text of ["a", "=b", ""]) expect(() => collectKeyValue(text)).toThrow(invalid);
});

describe("conditions", () => {
  test.for([
    ["exit", { kind: "exit" }],
    ["log:ready: .*", { kind: "match", regex: "ready: .*" }],
    ["port:8080", { kind: "port", port: 8080 }],
    ["port:::1:8080", { kind: "port", port: 8080, host: "::1" }],
    ["port:[::1]:8080", { kind: "port", port: 8080, host: "::1" }],
    ["http:localhost:3000/x", { kind: "http", url: "http://localhost:3000/x" }],
    ["http://localhost:3000", { kind: "http", url: "http://localhost:3000" }],
    ["https://h/", { kind: "http", url: "https://h/" }],
    ["http:https://h/", { kind: "http", url: "https://h/" }],
    ["file:/a b", { kind: "file", path: "/a b" }],
    ["idle:5s", { kind: "idle", ms: 5_000 }],
  ] as const)("%s", ([text, condition]) => {
    expect(parseCondition(text)).toEqual(condition);
  });

  test.for([
    "",
    "exit:",
    "log:",
    "port:0",
    "port:70000",
    "port:x",
    "idle:0",
    "idle:x",
    "file:",
    "moon",
    "moon:1",
  ])("%j is none", (text) => {
    expect(() => parseCondition(text)).toThrow(invalid);
  });
});
