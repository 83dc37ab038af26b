import { expect, test } from "vitest";
import { indexAfter, readCast } from "~/replay/cast.ts";

const recording = [
  '{"version":3,"term":{"cols":100,"rows":30}}',
  '[0.5,"o","one"]',
  '[1,"r","120x40"]',
  "# a remark",
  '[0.25,"o","two"]',
  '[0,"x","0"]',
  '[1,"o","cut',
].join("\n");

test("a recording is read with times from its beginning, and what cannot be read is passed over", () => {
  expect(readCast(recording)).toEqual({
    columns: 100,
    rows: 30,
    duration: 1.75,
    events: [
      { kind: "output", at: 0.5, text: "one" },
      { kind: "resize", at: 1.5, columns: 120, rows: 40 },
      { kind: "output", at: 1.75, text: "two" },
      { kind: "exit", at: 1.75, status: "0" },
    ],
  });
});

test.each(["", "{}", "[]", '{"version":2}', "null"])("%j is no recording", (text) => {
  expect(() => readCast(text)).toThrow("not an asciicast v3");
});

test("sizes that no terminal has are not taken", () => {
  const cast = readCast('{"version":3,"term":{"cols":0,"rows":100000}}\n[0,"r","0x9999999"]');
  expect(cast).toMatchObject({ columns: 80, rows: 24, events: [{ columns: 80, rows: 24 }] });
});

test("the place of a time is behind everything that has happened by then", () => {
  const { events } = readCast(recording);
  expect([0, 0.5, 1.6, 1.75, 9].map((at) => indexAfter(events, at))).toEqual([0, 1, 2, 4, 4]);
});

test("a character that is added to without end is cut", () => {
  const { events } = readCast(`{"version":3}\n${JSON.stringify([0, "o", `e${"\u0301".repeat(5_000)}f`])}`);
  expect(events).toEqual([{ kind: "output", at: 0, text: `e${"\u0301".repeat(16)}f` }]);
});
