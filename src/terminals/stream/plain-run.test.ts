import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Emulator } from "../emulator/emulator.ts";
import { shortenRun } from "./plain-run.ts";

const size = { columns: 20, rows: 5 };

function emulatorAfter(...parts: (string | Uint8Array)[]): Emulator {
  const emulator = new Emulator(size, () => undefined);
  for (const part of parts) emulator.feed(Buffer.from(part));
  return emulator;
}

const before = fc.constantFrom(
  ..."|text|\u001b[3;4Hthere|\u001b[41mred\r\n|\u001b[?7l|\u001b[4h|\u001b[?6h|\u001b[?1049h|\u001b7|ends here\u001b[7m".split(
    "|",
  ),
);
const line = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 30 }).map((s) => s.replaceAll(/[^ -~]/g, "")) },
  fc.constantFrom(
    ..."\u001b[31mred|\u001b[0mplain|\u001b[mplain|\u001b[0;1;42mboth|日本語|e\u0301|a\tb|\u001b[58:5:9;4mx|ä€".split(
      "|",
    ),
  ),
);
const end = fc.oneof({ weight: 9, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r", "\n\r"));

test("what is left out makes no difference", () => {
  let shortened = 0;
  fc.assert(
    fc.property(
      before,
      fc.array(fc.tuple(line, end), { minLength: 2, maxLength: 12 }),
      fc.integer({ min: 0, max: 40 }),
      (first, lines, more) => {
        const pattern = lines.map((parts) => parts.join("")).join("");
        const run = Buffer.from(
          pattern.repeat(Math.ceil(60_000 / pattern.length)) + "\u0301end".repeat(more),
        );
        const whole = emulatorAfter(first, run);
        const short = emulatorAfter(first);
        const found = shortenRun(run, short.linesUntilNew ?? Infinity);
        if (found !== undefined) shortened += 1;
        short.feed(found?.instead ?? new Uint8Array());
        short.feed(run.subarray(found?.skippedBytes ?? 0));
        expect(short.state()).toBe(whole.state());
        whole.dispose();
        short.dispose();
      },
    ),
    { numRuns: 60 },
  );
  expect(shortened).toBeGreaterThan(10);
});

test.each([
  ["moves the cursor", "\u001b[2A"],
  ["switches something", "\u001b[?25l"],
  ["goes back", "\b"],
  ["is a control of 8 bits", "\u0085"],
  ["asks", "\u001b[6n"],
])("nothing is left out before what %s", (_title, sequence) => {
  const lines = "line\r\n".repeat(10_000);
  const found = shortenRun(Buffer.from(`${lines}${sequence}${lines}`), 100);
  expect(found?.skippedBytes).toBeLessThan(lines.length);
});

test("lines that never go back to the first column stay", () => {
  expect(shortenRun(Buffer.from("x\n".repeat(50_000)), 100)).toBeUndefined();
});

test("a scroll region, or little text, leaves everything", () => {
  const emulator = emulatorAfter("\u001b[2;4r");
  expect(emulator.linesUntilNew).toBeUndefined();
  emulator.dispose();
  expect(shortenRun(Buffer.from("x\r\n".repeat(2_000)), 100)).toBeUndefined();
});
