import * as fc from "fast-check";
import { expect, test } from "vitest";
import { byteIndexOf } from "./byte-index.ts";

test.each([
  ["plain", Buffer.from("one two"), 4],
  ["two, three and four bytes", Buffer.from("é日😀 two"), 10],
  ["one that is cut off", Buffer.from([0xe6, 0x97, 0x20, 0x74, 0x77, 0x6f]), 3],
  ["the rest of one", Buffer.from([0x97, 0xa5, 0x74, 0x77, 0x6f]), 2],
  ["a replacement that was written", Buffer.from("\ufffd two"), 4],
  ["no UTF-8 at all", Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0x74, 0x77, 0x6f]), 4],
])("bytes before it: %s", (_title, bytes, expected) => {
  expect(byteIndexOf(bytes, bytes.toString("utf8").indexOf("two"))).toBe(expected);
});

test("whatever the bytes are, what follows the index is what follows the byte", () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0x80, 0xa0, 0xbf, 0x41),
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 24 }), fc.nat(24), (values, wanted) => {
      const bytes = Buffer.from(values);
      const characters = Array.from(bytes.toString("utf8"));
      const index = characters.slice(0, wanted).join("").length;
      const at = byteIndexOf(bytes, index);
      expect(bytes.subarray(at).toString("utf8")).toBe(characters.slice(wanted).join(""));
    }),
    { numRuns: 5_000 },
  );
});
