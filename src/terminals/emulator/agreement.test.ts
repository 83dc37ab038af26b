import xterm from "@xterm/headless";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EscapeScanner } from "../../util/escape-scanner.ts";
import { coreOf } from "./xterm-internals.ts";

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

/** For each byte: how much is complete after it. */
function completeAfterEach(stream: Uint8Array): number[] {
  const ignore = (): void => undefined;
  const visitor = {
    controlSequence: ignore,
    string: ignore,
    escapeSequence: ignore,
    bell: ignore,
    overlong: ignore,
  };
  const scanner = new EscapeScanner(visitor, { longestBytes: 1_000 });
  let complete = 0;
  return Array.from(stream, (_byte, index) => {
    complete += scanner.scan(stream.subarray(complete, index + 1));
    return complete;
  });
}

test("where the scanner has nothing open, xterm has nothing open", () => {
  let checked = 0;
  fc.assert(
    fc.property(streams, (stream) => {
      const terminal = new xterm.Terminal({ logLevel: "off" });
      const { input } = coreOf(terminal);
      const { _parser: parser, _utf8Decoder: decoder } = input;
      let fed = 0;
      for (const at of completeAfterEach(stream)) {
        input.parse(stream.subarray(fed, at));
        fed = at;
        // A sequence that the next byte breaks off has done nothing: it may as well not be there.
        const isBrokenOff = at < stream.length && (stream[at] === 0x1b || stream[at] === 0xc2);
        expect(parser.currentState, `after ${at} bytes`).toBeLessThanOrEqual(isBrokenOff ? 6 : 0);
        checked += 1;
      }
      input.parse(stream.subarray(fed));
      const isOpen = parser.currentState !== 0 || decoder.interim[0] !== 0;
      expect(isOpen).toBe(fed < stream.length);
      terminal.dispose();
    }),
    { numRuns: 300 },
  );
  expect(checked).toBeGreaterThan(1_000);
});
