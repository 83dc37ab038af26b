import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lastBytes } from "./output-tail.ts";

test("the end of any text within any limit: whole characters, and not one more would fit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 32 }), fc.nat(64), (text, limitBytes) => {
      const well = text.toWellFormed();
      const cut = lastBytes(well, limitBytes);
      expect(well.endsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limitBytes);
      const before = [...well].at(-[...cut].length - 1);
      expect(cut === well || Buffer.byteLength(`${before ?? ""}${cut}`) > limitBytes).toBe(true);
    }),
  );
});
