import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EscapeScanner, type SequenceVisitor } from "./escape-scanner.ts";

const longestBytes = 1_000;

function log(): { readonly found: string[]; readonly visitor: (bytes: () => Uint8Array) => SequenceVisitor } {
  const found: string[] = [];
  const text = (bytes: Uint8Array, from: number, to: number): string =>
    JSON.stringify(Buffer.from(bytes.subarray(from, to)).toString("latin1"));
  return {
    found,
    visitor: (bytes) => ({
      controlSequence: ({ prefix, intermediates, final, firstParameter, largestParameter }, from, to) =>
        found.push(
          `csi ${text(bytes(), from, to)} ${prefix} ${intermediates} ${final} ${firstParameter} ${largestParameter}`,
        ),
      string: (kind, from, to) => found.push(`${kind} ${text(bytes(), from, to)}`),
      escapeSequence: (from, to) => found.push(`esc ${text(bytes(), from, to)}`),
      bell: () => found.push("bell"),
      overlong: (_from, _to, isFirst) => found.push(isFirst ? "overlong" : "more"),
    }),
  };
}

/** In parts of some lengths; tells what was found, and where nothing was open. */
function scanParts(stream: Uint8Array, lengths: readonly number[]): { found: string[]; complete: number[] } {
  const { found, visitor } = log();
  let bytes: Uint8Array = new Uint8Array();
  const scanner = new EscapeScanner(
    visitor(() => bytes),
    { longestBytes },
  );
  const complete: number[] = [];
  let done = 0;
  let given = 0;
  for (let part = 0; given < stream.length; part++) {
    const open = bytes.subarray(done);
    const length = lengths[part % lengths.length] ?? 1;
    bytes = Buffer.concat([open, stream.subarray(given, given + length)]);
    given = Math.min(stream.length, given + length);
    done = scanner.scan(bytes);
    complete.push(given - (bytes.length - done));
  }
  return { found, complete };
}

const pieces = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("\u001b", "\u001b[", "\u001b]", "\u001bP", "\u001b_", "\u001b\\") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\u0007", "\u0018", "\u001a", "\n", "\u007f", "\u009b", "\u009c", "\u0090"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("?", ">", "$", " ", ";", ":", "0", "6", "12", "c", "n", "p", "q", "m", "x"),
  },
  { weight: 1, arbitrary: fc.constantFrom("ä", "€", "😀", "\u0085", "\u00a0", "\ufeff") },
);
const streams = fc
  .array(
    fc.oneof(
      pieces.map((text) => [...Buffer.from(text)]),
      fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 3 }),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

test("the same is found however the stream is cut", () => {
  fc.assert(
    fc.property(streams, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (stream, lengths) => {
      expect(scanParts(stream, lengths).found).toEqual(scanParts(stream, [stream.length || 1]).found);
    }),
  );
});

test.each([
  ["a private mode", "\u001b[?25;1h", 'csi "\\u001b[?25;1h" 63 0 104 25 25'],
  ["a huge number", "\u001b[1;2147483647;5L", 'csi "\\u001b[1;2147483647;5L" 0 0 76 1 2147483647'],
  ["an intermediate", "\u001b[?2026$p", 'csi "\\u001b[?2026$p" 63 36 112 2026 2026'],
  ["an 8-bit introducer", "\u009b6n", 'csi "\u00c2\u009b6n" 0 0 110 6 6'],
  ["parts of a parameter", "\u001b[38:2::1:2:3m", 'csi "\\u001b[38:2::1:2:3m" 0 0 109 38 38'],
  ["a string ended by a bell", "\u001b]52;c;eA==\u0007", 'osc "\\u001b]52;c;eA==\\u0007"'],
  ["a string ended by ST", "\u001b]0;a\u001b\\", 'osc "\\u001b]0;a" esc "\\u001b\\\\"'],
  ["a device string", "\u001bP$qm\u001b\\", 'dcs "\\u001bP$qm" esc "\\u001b\\\\"'],
  ["an application's string", "\u001b_Gx\u001b\\", 'other "\\u001b_Gx" esc "\\u001b\\\\"'],
  ["a bell", "a\u0007b", "bell"],
  ["a string that is too long", `\u001b]0;${"x".repeat(2_000)}\u0007`, "overlong"],
  ["parameters that are too long", `\u001b[${"1;".repeat(2_000)}m`, "overlong"],
])("%s", (_title, text, expected) => {
  expect(scanParts(Buffer.from(text), [10_000]).found.join(" ")).toBe(expected);
});

test("an endless sequence is told as it comes and holds nothing back", () => {
  const stream = Buffer.concat([
    Buffer.from("\u001b]0;"),
    Buffer.alloc(10_000, "x"),
    Buffer.from("\u0007after"),
  ]);
  const { found, complete } = scanParts(stream, [600]);
  expect(found[0]).toBe("overlong");
  expect(new Set(found.slice(1))).toEqual(new Set(["more"]));
  expect(complete.slice(2)).toEqual(complete.slice(2).toSorted((a, b) => a - b));
  expect(complete.at(-1)).toBe(stream.length);
});
