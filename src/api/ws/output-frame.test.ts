import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeOutputData, type OutputData } from "../../protocol/live-frames.ts";
import { outputFrame } from "./output-frame.ts";

/** What whoever keeps to RFC 6455 makes of the frame. */
function received(frame: Buffer): OutputData | undefined {
  const [head, short = 0] = frame;
  expect(head).toBe(0x82);
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = start === 2 ? short : start === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  expect(frame).toHaveLength(start + length);
  return decodeOutputData(frame.subarray(start));
}

const described = fc.record({
  stream: fc.constantFrom("stdout" as const, "stderr" as const),
  offset: fc.nat({ max: Number.MAX_SAFE_INTEGER - 100_000 }),
  at: fc.double({ noNaN: true }),
});

test("output comes back as it was sent, also beyond 4 GiB", () => {
  fc.assert(
    fc.property(described, fc.uint8Array({ maxLength: 300 }), (about, bytes) => {
      expect(received(outputFrame({ ...about, bytes }))).toMatchObject({
        ...about,
        bytes: Buffer.from(bytes),
      });
    }),
  );
});

test.each([107, 108, 65_517, 65_518])("%i bytes, where the head of a frame grows", (length) => {
  const bytes = Buffer.alloc(length, "x");
  const data = { stream: "stdout" as const, offset: 1, at: 0, bytes };
  expect(received(outputFrame(data))?.bytes).toEqual(bytes);
});

test("a part stands at its own offset", () => {
  const data = { stream: "stderr" as const, offset: 258, at: 1, bytes: Buffer.from("abcdef") };
  expect(received(outputFrame(data, 2, 3))).toMatchObject({ offset: 260, bytes: Buffer.from("cde") });
});

// Literals on purpose: other programs read these bytes.
test("the bytes are the ones docs/http-api.md promises", () => {
  const data = { stream: "stderr" as const, offset: 258, at: 1, bytes: Uint8Array.of(7) };
  expect([...outputFrame(data)]).toEqual([
    0x82, 19, 1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 7,
  ]);
});
