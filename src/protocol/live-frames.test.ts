import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeInput, decodeOutputData, encodeInput, encodeOutputData } from "./live-frames.ts";

const offset = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const bytes = fc.uint8Array({ maxLength: 100 });

test("output comes back as it was sent, also beyond 4 GiB", () => {
  const stream = fc.constantFrom("stdout" as const, "stderr" as const);
  fc.assert(
    fc.property(fc.record({ offset, bytes, stream, at: fc.double({ noNaN: true }) }), (data) => {
      const decoded = decodeOutputData(encodeOutputData(data));
      expect(decoded).toMatchObject({ ...data, kind: "data" });
    }),
  );
});

test("input comes back as it was sent", () => {
  fc.assert(
    fc.property(fc.record({ sequence: offset, bytes }), (input) => {
      expect(decodeInput(encodeInput(input))).toEqual(input);
    }),
  );
});

// Literals on purpose: other programs read these bytes.
test("the bytes are the ones docs/http-api.md promises", () => {
  const data = { stream: "stderr" as const, offset: 258, at: 1, bytes: Uint8Array.of(7) };
  expect([...encodeOutputData(data)]).toEqual([
    1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 7,
  ]);
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
