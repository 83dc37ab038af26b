import * as fc from "fast-check";
import { expect, test } from "vitest";
import { QueryFilter } from "./query-filter.ts";

function shown(...parts: (string | Uint8Array)[]): string {
  const filter = new QueryFilter();
  return Buffer.concat([...parts.map((part) => filter.push(Buffer.from(part))), filter.end()]).toString();
}

test.each([
  ["text and colours pass", "\u001b[31mred\u001b[0m ä€😀\r\n", undefined],
  ["what the daemon answers does not", "a\u001b[cb\u001b[>0cd\u001b[6ne\u001b[?2026$pf", "abdef"],
  ["nor a question about a setting", "a\u001bP$qm\u001b\\b", "a\u001b\\b"],
  [
    "what only the terminal knows is asked of it",
    "\u001b]11;?\u0007\u001b[>q\u001b[?u\u001bP+q544e\u001b\\",
    undefined,
  ],
  ["the clipboard is the terminal's to give or not", "\u001b]52;c;eA==\u0007", undefined],
  ["a picture passes, however large", `\u001bPq${"#0~".repeat(50_000)}\u001b\\after`, undefined],
  ["the beginning of a sequence at the end is shown at the end", "text\u001b[", undefined],
])("%s", (_title, output, expected = output) => {
  expect(shown(output)).toBe(expected);
});

test("cut anywhere, the same is shown", () => {
  const piece = fc.constantFrom(
    ..."text|\u001b[c|\u001b[6n|\u001b[31m|\u001bP$qr\u001b\\|\u001b]0;t\u0007|€|\u001b[?1049h|\u001b".split(
      "|",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 9 }), (pieces, length) => {
      const bytes = Buffer.from(pieces.join(""));
      const parts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
        bytes.subarray(index * length, (index + 1) * length),
      );
      expect(shown(...parts)).toBe(shown(bytes));
    }),
  );
});
