import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findBoundary, findCut, partsBefore, wholeParts } from "./part-boundaries.ts";
import type { OutputPart } from "./read-range.ts";

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

type Written = readonly [stream: OutputPart["stream"], bytes: Uint8Array];

function partsOf(written: readonly Written[], from = 0): OutputPart[] {
  let offset = from;
  return written.map(([stream, data]) => {
    const bytes = Buffer.from(data);
    const part = { offset, bytes, stream, timeUs: offset };
    offset += bytes.length;
    return part;
  });
}

const out = (text: string | Uint8Array): Written => ["stdout", Buffer.from(text)];
const err = (text: string | Uint8Array): Written => ["stderr", Buffer.from(text)];
const texts = (parts: readonly OutputPart[]): string[] => parts.map((part) => part.bytes.toString());
const both = { stream: "both", lines: undefined } as const;

test("a cut inside a character or an escape moves back to its beginning", () => {
  for (const sample of samples) {
    const bytes = Buffer.from(`xy${sample}`);
    for (let most = 3; most < bytes.length; most++)
      expect(
        findCut(partsOf([out(bytes)]), { ...both, bytes: most }),
        `${JSON.stringify(sample)} at ${most}`,
      ).toEqual({ at: 2, isLimited: true });
    expect(findCut(partsOf([out(bytes)]), { ...both, bytes: bytes.length })).toEqual({
      at: bytes.length,
      isLimited: false,
    });
  }
});

test("cutting anywhere and going on from there gives back the same pieces, however they were written", () => {
  const written = fc.array(fc.tuple(fc.constantFrom(...samples), fc.integer({ min: 1, max: 8 })));
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 40 }), (pieces, most) => {
      const whole = pieces.map(([sample]) => sample).join("");
      const chunks = pieces.flatMap(([sample, size]) => {
        const bytes = Buffer.from(sample);
        return [out(bytes.subarray(0, size)), out(bytes.subarray(size))];
      });
      const all = partsOf(chunks.filter(([, bytes]) => bytes.length > 0));
      const cuts: string[] = [];
      for (let from = 0, rest = all; rest.length > 0;) {
        const { at = 0 } = findCut(rest, { ...both, bytes: most });
        expect(at).toBeGreaterThan(from);
        cuts.push(...texts(wholeParts(partsBefore(rest, at))));
        rest = rest.flatMap((part) => {
          const skip = Math.max(0, at - part.offset);
          if (skip >= part.bytes.length) return [];
          return [{ ...part, offset: part.offset + skip, bytes: part.bytes.subarray(skip) }];
        });
        from = at;
      }
      expect(cuts.join("")).toBe(whole);
      expect(cuts.join("")).not.toContain("\ufffd");
    }),
  );
});

test("a sequence that was written in two parts is not cut; one longer than the limit comes whole", () => {
  const parts = partsOf([out("\u001b[3"), out("1mred\n")]);
  expect(findCut(parts, { ...both, bytes: 4 })).toEqual({ at: 5, isLimited: true });
  expect(findCut(parts, { ...both, bytes: 6 })).toEqual({ at: 6, isLimited: true });
});

test("a sequence of one stream goes on behind what the other wrote", () => {
  const parts = partsOf([out("a\u001b[3"), err("x\n"), out("1mb"), err("y")]);
  for (const bytes of [2, 3, 4, 5, 6, 7]) expect(findCut(parts, { ...both, bytes }).at).toBe(1);
  expect(findCut(parts, { ...both, bytes: 8 }).at).toBe(8);
  expect(findCut(parts, { stream: "stderr", lines: undefined, bytes: 5 }).at).toBe(5);
  expect(texts(wholeParts(parts))).toEqual(["a\u001b[31m", "x\n", "b", "y"]);
});

test("lines are those of the stream that is asked for, and none ends inside an escape", () => {
  const parts = partsOf([err("e\n"), out("a\u001b]0;x\ny\u0007b\nc\n")]);
  expect(findCut(parts, { stream: "stdout", lines: 1, bytes: 99 }).at).toBe(11);
  expect(findCut(parts, { stream: "stdout", lines: 2, bytes: 99 }).at).toBe(13);
});

test("a start inside a character or an escape moves on to what comes next", () => {
  const parts = partsOf([out("a€"), out("\u001b[3"), out("1mb")]);
  expect(findBoundary(parts, 2, "both")).toBe(4);
  expect(findBoundary(parts, 4, "both")).toBe(4);
  expect(findBoundary(parts, 5, "both")).toBe(9);
  expect(findBoundary(parts, 11, "both")).toBeUndefined();
});

test("nothing is joined over a hole", () => {
  const half = Buffer.from("é");
  const parts = [...partsOf([out(half.subarray(0, 1))]), ...partsOf([out(half.subarray(1))], 9)];
  expect(texts(wholeParts(parts))).toEqual(["\ufffd", "\ufffd"]);
});
