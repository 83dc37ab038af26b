import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BoundaryTracker, characterStart, safeLength } from "./byte-boundaries.ts";

const samples = [
  "ä",
  "€",
  "😀",
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u001b]8;;x\u001b\\",
  "\u001b(B",
  "a",
  "\n",
];

test("a cut inside a character or an escape moves back to its beginning", () => {
  for (const sample of samples) {
    const bytes = Buffer.from(`xy${sample}`);
    for (let most = 3; most < bytes.length; most++)
      expect(safeLength(bytes, most), `${JSON.stringify(sample)} at ${most}`).toBe(2);
    expect(safeLength(bytes, bytes.length)).toBe(bytes.length);
  }
});

test("cutting anywhere and going on from there gives back the same pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...samples)), fc.integer({ min: 1, max: 40 }), (pieces, most) => {
      const bytes = Buffer.from(pieces.join(""));
      let at = 0;
      const cuts: string[] = [];
      while (at < bytes.length) {
        const length = safeLength(bytes.subarray(at), most) || bytes.length - at;
        cuts.push(bytes.subarray(at, at + length).toString());
        at += length;
      }
      expect(cuts.join("")).toBe(pieces.join(""));
      expect(cuts.join("")).not.toContain("\ufffd");
    }),
  );
});

test("an unfinished string does not hold a reader for ever", () => {
  const tracker = new BoundaryTracker();
  for (const byte of Buffer.from(`\u001b]0;${"x".repeat(8_192)}`)) tracker.push(byte);
  expect(tracker.isBoundary).toBe(true);
});

test("a start inside a character moves on to the next one", () => {
  const bytes = Buffer.from("€a");
  expect(characterStart(bytes, 1)).toBe(3);
  expect(characterStart(bytes, 3)).toBe(3);
});
