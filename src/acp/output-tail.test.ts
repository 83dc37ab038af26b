import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lastBytes } from "./output-tail.ts";

const characters = fc
  .array(fc.constantFrom("a", "\n", "ä", "€", "😀", "\u0301"))
  .map((list) => list.join(""));

test("the end of any text within any limit: whole characters, and not one more would fit", () => {
  fc.assert(
    fc.property(characters, fc.nat(64), (text, limitBytes) => {
      const cut = lastBytes(text, limitBytes);
      expect(text.endsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limitBytes);
      const before = Array.from(text).at(-Array.from(cut).length - 1);
      expect(cut === text || Buffer.byteLength(`${before ?? ""}${cut}`) > limitBytes).toBe(true);
    }),
  );
});
