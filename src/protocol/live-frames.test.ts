import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeInput, decodeOutputData, encodeInput } from "./live-frames.ts";

const offset = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const bytes = fc.uint8Array({ maxLength: 100 });

test("input comes back as it was sent", () => {
  fc.assert(
    fc.property(fc.record({ sequence: offset, bytes }), (input) => {
      expect(decodeInput(encodeInput(input))).toEqual(input);
    }),
  );
});

// Literals on purpose: other programs read these bytes.
test("the bytes are the ones docs/http-api.md promises", () => {
  expect([...encodeInput({ sequence: 258, bytes: Uint8Array.of(7) })]).toEqual([
    2, 2, 1, 0, 0, 0, 0, 0, 0, 7,
  ]);
});

test("frames of another kind, and cut ones, are nothing", () => {
  expect(decodeOutputData(Uint8Array.of(9, ...Array<number>(30).fill(0)))).toBeUndefined();
  expect(decodeOutputData(Uint8Array.of(1, 0))).toBeUndefined();
  expect(decodeInput(Uint8Array.of(1, ...Array<number>(30).fill(0)))).toBeUndefined();
  expect(decodeInput(Uint8Array.of(2))).toBeUndefined();
});
