import * as fc from "fast-check";
import { expect, test } from "vitest";
import { OutputFilter } from "./output-filter.ts";

interface Passed {
  readonly emulator: string;
  readonly viewers: string;
  readonly rawBytes: number;
  readonly parts: number;
}

function pass(filter: OutputFilter, ...pieces: (string | Uint8Array)[]): Passed {
  const parts = pieces.flatMap((piece) => filter.push(Buffer.from(piece)));
  const text = (which: "emulator" | "viewers"): string =>
    Buffer.concat(parts.map((part) => part[which])).toString();
  return {
    emulator: text("emulator"),
    viewers: text("viewers"),
    rawBytes: parts.reduce((sum, { rawBytes }) => sum + rawBytes, 0),
    parts: parts.length,
  };
}

test.each([
  ["a question is answered by the emulator alone", "a\u001b[cb", undefined, "a\0b"],
  ["a question about a setting too", "a\u001bP$qm\u001b\\b", undefined, "a\0\u001b\\b"],
  ["a question for a colour goes to no viewer", "\u001b]11;?\u0007", undefined, "\0"],
  ["a colour that is set goes to all", "\u001b]11;#123456\u0007", undefined, undefined],
  ["the clipboard reaches nobody", "\u001b]52;c;eA==\u001b\\", "\0\u001b\\", "\0\u001b\\"],
  ["a number no terminal needs is cut", "\u001b[2147483647;5H", "\u001b[9999;5H", "\u001b[9999;5H"],
  ["lines are moved as often as there can be lines", "\u001b[9999L", "\u001b[500L", "\u001b[500L"],
  ["a title may not be a book", `\u001b]0;${"x".repeat(3_000)}\u0007`, "\0", "\0"],
  ["a link may be long", `\u001b]8;;${"x".repeat(3_000)}\u0007`, undefined, undefined],
])("%s", (_title, output, emulator = output, viewers = emulator) => {
  const passed = pass(new OutputFilter(), output);
  expect(passed.emulator).toBe(emulator);
  expect(passed.viewers).toBe(viewers);
  expect(passed.rawBytes).toBe(Buffer.byteLength(output));
});

test("a sequence is held until it is complete, a character too", () => {
  const filter = new OutputFilter();
  expect(pass(filter, "a\u001b[3").viewers).toBe("a");
  expect(filter.heldBytes).toBe(3);
  expect(pass(filter, "1mred").viewers).toBe("\u001b[31mred");
  expect(pass(filter, Uint8Array.of(0xe2, 0x82)).rawBytes).toBe(0);
  expect(pass(filter, Uint8Array.of(0xac)).viewers).toBe("€");
  expect(filter.heldBytes).toBe(0);
});

test("a sequence without an end is taken out as it comes, and nothing is held for it", () => {
  const filter = new OutputFilter();
  const endless = Array.from({ length: 100 }, () => "x".repeat(1_000));
  const passed = pass(filter, "before\u001b]0;", ...endless, "\u0007after");
  expect(passed.viewers).toBe("before\0after");
  expect(filter.heldBytes).toBe(0);
});

test("of many bells in a second ten reach a viewer", () => {
  let now = 0;
  const filter = new OutputFilter(() => now);
  const first = pass(filter, "\u0007".repeat(50));
  expect(first.viewers).toBe("\u0007".repeat(10) + "\0".repeat(40));
  expect(first.emulator).toBe("\u0007".repeat(50));
  now = 1_000;
  expect(pass(filter, "\u0007").viewers).toBe("\u0007");
});

test("what costs much comes in many parts", () => {
  expect(pass(new OutputFilter(), "\u001b[500L".repeat(20)).parts).toBe(20);
  expect(pass(new OutputFilter(), "\u001bc".repeat(64)).parts).toBe(4);
  expect(pass(new OutputFilter(), "\u001b[31mtext\r\n".repeat(1_000)).parts).toBe(1);
});

test("however the stream is cut, the same is passed on", () => {
  const piece = fc.constantFrom(
    ..."a|€|😀|\u001b[c|\u001b[31m|\u001b]52;c;x\u0007|\u001b]0;t\u001b\\|\u001bP$qr\u001b\\|\u001b[99999b|\u001b|[|\u001b]".split(
      "|",
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      (pieces, lengths) => {
        const bytes = Buffer.from(pieces.join(""));
        const cut: Uint8Array[] = [];
        for (let at = 0, part = 0; at < bytes.length; part++) {
          const length = lengths[part % lengths.length] ?? 1;
          cut.push(bytes.subarray(at, at + length));
          at += length;
        }
        const { parts: _parts, ...inPieces } = pass(new OutputFilter(), ...cut);
        const { parts: _whole, ...atOnce } = pass(new OutputFilter(), bytes);
        expect(inPieces).toEqual(atOnce);
      },
    ),
  );
});
