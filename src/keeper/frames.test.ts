import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import {
  answerFrames,
  errorOfFrame,
  FrameReader,
  requestFrames,
  setRequest,
  type Frame,
  type FrameLayout,
} from "./frames.ts";
import { frameLimits } from "./numbers.ts";

const u8 = fc.nat(0xff);
const u16 = fc.nat(0xffff);
const u32 = fc.nat(0xffff_ffff);
const i32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const count = fc.nat(Number.MAX_SAFE_INTEGER);
const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const list = fc.array(bytes, { maxLength: 5 });

/** A layout with a payload it can carry, the type kept inside. */
function carried<Payload>(layout: FrameLayout<Payload>, payload: fc.Arbitrary<Payload>) {
  return payload.map((value) => ({
    encode: (request: number) => layout.encode(value, request),
    decode: (frame: Frame) => layout.decode(frame.payload),
    type: layout.type,
    value,
  }));
}

const anyFrame = fc.oneof(
  carried(requestFrames.hello, fc.record({ major: u16, minor: u16 })),
  carried(requestFrames.output, fc.record({ from: u64, credit: count, flags: u8 })),
  carried(requestFrames.credit, fc.record({ more: count })),
  carried(requestFrames.write, fc.record({ writer: u64, sequence: count, flags: u8, data: bytes })),
  carried(requestFrames.resize, fc.record({ columns: u16, rows: u16 })),
  carried(requestFrames.signal, fc.record({ number: u32, target: u8 })),
  carried(requestFrames.stop, fc.record({ graceMs: u32, flags: u8, reason: u8, by: bytes })),
  carried(requestFrames.outside, fc.record({ cwd: bytes, argv: list, env: list })),
  carried(requestFrames.ping, fc.constant({})),
  carried(requestFrames.recover, fc.record({ id: bytes })),
  carried(answerFrames.keeperHello, fc.record({ major: u16, minor: u16, id: bytes, keeperPid: u32 })),
  carried(answerFrames.error, fc.record({ code: u16, errno: i32, value: u64, message: bytes })),
  carried(answerFrames.data, fc.record({ offset: count, data: bytes })),
  carried(answerFrames.mark, fc.record({ kind: u8, timeUs: count, offset: count, value: count })),
  carried(answerFrames.started, fc.record({ keeperPid: u32, pid: u32, childStart: count })),
  carried(answerFrames.startFailed, fc.record({ stage: u8, errno: i32 })),
  carried(answerFrames.stopped, fc.record({ outcome: u8, killed: u32, left: u32, pids: fc.array(u32) })),
);

function readAll(stream: Buffer, cuts: readonly number[]): Frame[] {
  const reader = new FrameReader();
  const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
  const frames = edges.slice(1).flatMap((edge, index) => reader.push(stream.subarray(edges[index], edge)));
  expect(reader.isPartial).toBe(false);
  return frames;
}

describe("frames", () => {
  test("pass through a stream cut anywhere", () => {
    const stream = fc.array(fc.tuple(anyFrame, u32), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(stream, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (sent, fractions) => {
        const encoded = Buffer.concat(sent.map(([frame, request]) => frame.encode(request)));
        const cuts = fractions.map((fraction) => Math.floor(fraction * encoded.length));
        const received = readAll(encoded, cuts);
        expect(received.map(({ type, request }) => ({ type, request }))).toEqual(
          sent.map(([{ type }, request]) => ({ type, request })),
        );
        received.forEach((frame, index) =>
          expect(sent[index]?.[0].decode(frame)).toEqual(sent[index]?.[0].value),
        );
      }),
    );
  });

  test("pass through a stream cut at every single byte, and in two at each", () => {
    const encoded = Buffer.concat([
      requestFrames.write.encode({ writer: 5n, sequence: 6, flags: 1, data: Buffer.from("secret") }, 9),
      answerFrames.ok.encode({ value: 7n }, 9),
      requestFrames.ping.encode({}, 10),
    ]);
    const whole = readAll(encoded, []);
    expect(whole.map(({ type }) => type)).toEqual([0x05, 0x40, 0x0f]);
    expect(readAll(encoded, Array.from(encoded.keys()))).toEqual(whole);
    for (const cut of encoded.keys()) expect(readAll(encoded, [cut])).toEqual(whole);
  });

  test("have the bytes the contract gives them", () => {
    expect(requestFrames.hello.encode({ major: 1, minor: 0 }).toString("hex")).toBe(
      "09000000010000000001000000",
    );
    expect(requestFrames.resize.encode({ columns: 80, rows: 24 }, 0x01020304).toString("hex")).toBe(
      "09000000070403020150001800",
    );
    expect(requestFrames.recover.encode({ id: Buffer.from("ab") }).toString("hex")).toBe(
      "0b0000002100000000020000006162",
    );
  });

  test("get another request number without being made again", () => {
    const encoded = requestFrames.credit.encode({ more: 1 }, 1);
    setRequest(encoded, 77);
    expect(encoded).toEqual(requestFrames.credit.encode({ more: 1 }, 77));
  });

  test("of an impossible length end the stream", () => {
    for (const length of [0, 4, frameLimits.mostBytes + 1, 0xffff_ffff]) {
      const header = Buffer.alloc(4);
      header.writeUInt32LE(length);
      expect(() => new FrameReader().push(header)).toThrow(
        expect.objectContaining({ code: "CONTRACT_MISMATCH" }) as Error,
      );
      const bit = new FrameReader();
      bit.push(header.subarray(0, 3));
      expect(() => bit.push(header.subarray(3))).toThrow(HoldfastError);
    }
  });

  test("too large to send are refused here", () => {
    const data = Buffer.alloc(frameLimits.mostBytes);
    expect(() => answerFrames.data.encode({ offset: 0, data })).toThrow(
      expect.objectContaining({ code: "REQUEST_TOO_LARGE" }) as Error,
    );
  });

  test("that end inside a field, or count more than they hold, are told as such; trailing bytes are ignored", () => {
    const mismatch = expect.objectContaining({ code: "CONTRACT_MISMATCH" }) as Error;
    expect(() => answerFrames.started.decode(Buffer.alloc(15))).toThrow(mismatch);
    expect(answerFrames.started.decode(Buffer.alloc(20))).toEqual({ keeperPid: 0, pid: 0, childStart: 0 });
    const lying = answerFrames.stopped.encode({ outcome: 0, killed: 0, left: 0, pids: [1] }).subarray(9);
    lying.writeUInt32LE(0x7fff_ffff, 9);
    expect(() => answerFrames.stopped.decode(lying)).toThrow(mismatch);
    const overlong = Buffer.alloc(8, 0xff);
    expect(() => requestFrames.credit.decode(overlong)).toThrow(mismatch);
  });
});

describe("errorOfFrame", () => {
  const errorOf = (code: number, errno: number, value: bigint, message: string) => {
    const frame = answerFrames.error.encode({ code, errno, value, message: Buffer.from(message) });
    return errorOfFrame(frame.subarray(frameLimits.headerBytes));
  };

  test("keeps what a program needs", () => {
    expect(errorOf(3, 0, 4096n, "not kept")).toMatchObject({
      code: "OUTPUT_TRIMMED",
      message: "The output at this offset is not kept; the next that is begins at 4096.",
      details: { firstOffset: 4096 },
    });
    expect(errorOf(11, 28, 0n, "no room")).toMatchObject({
      code: "SYSTEM_ERROR",
      message: "no room",
      details: { errno: 28 },
    });
    expect(errorOf(12, 0, 0n, "")).toMatchObject({
      code: "RUN_CLAIMED",
      message: "The keeper answered error 12.",
    });
    expect(errorOf(200, 0, 0xffff_ffff_ffff_ffffn, "new")).toMatchObject({
      code: "INTERNAL",
      details: { keeperError: 200 },
    });
  });
});
