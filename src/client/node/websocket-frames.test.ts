import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodeClose,
  encodeFrame,
  opcode,
  WebSocketReader,
  type ReceivedMessage,
} from "./websocket-frames.ts";

/** A frame as a server sends it. */
function serverFrame(kind: number, payload: Uint8Array, isFinal = true): Buffer {
  const head = [(isFinal ? 0x80 : 0) | kind];
  if (payload.length < 126) head.push(payload.length);
  else if (payload.length < 65_536) head.push(126, payload.length >> 8, payload.length & 0xff);
  else head.push(127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (payload.length >> shift) & 0xff));
  return Buffer.concat([Uint8Array.from(head), payload]);
}

function readAll(parts: readonly Uint8Array[]): ReceivedMessage[] {
  const reader = new WebSocketReader();
  const messages: ReceivedMessage[] = [];
  for (const part of parts) {
    reader.push(part);
    for (let message = reader.next(); message !== undefined; message = reader.next()) messages.push(message);
  }
  return messages;
}

const conversation = Buffer.concat([
  serverFrame(opcode.text, Buffer.from("grüße")),
  serverFrame(opcode.binary, Uint8Array.of(1, 2), false),
  serverFrame(opcode.ping, Uint8Array.of(9)),
  serverFrame(opcode.continuation, new Uint8Array(), false),
  serverFrame(opcode.continuation, Uint8Array.of(3)),
  serverFrame(opcode.pong, new Uint8Array()),
  serverFrame(opcode.binary, new Uint8Array(300).fill(4)),
  serverFrame(opcode.text, Buffer.from("")),
  serverFrame(opcode.close, Uint8Array.of(0x0f, 0xa8, ...Buffer.from("slow"))),
]);

const spoken = [
  { kind: "text", text: "grüße" },
  { kind: "ping", bytes: [9] },
  { kind: "binary", bytes: [1, 2, 3] },
  { kind: "pong", bytes: [] },
  { kind: "binary", bytes: Array<number>(300).fill(4) },
  { kind: "text", text: "" },
  { kind: "close", code: 4008, reason: "slow" },
];

/** With bytes as plain lists, which compare whatever kind of array they were. */
function plain(messages: readonly ReceivedMessage[]): unknown[] {
  return messages.map((message) =>
    "bytes" in message ? { ...message, bytes: [...message.bytes] } : message,
  );
}

test("messages are the same, split at every byte", () => {
  for (let at = 0; at <= conversation.length; at += 1) {
    const messages = readAll([conversation.subarray(0, at), conversation.subarray(at)]);
    expect(plain(messages), `split at ${at}`).toEqual(spoken);
  }
  expect(plain(readAll(Array.from(conversation, (byte) => Uint8Array.of(byte))))).toEqual(spoken);
});

test("lengths of all three forms are read", () => {
  for (const length of [0, 125, 126, 65_535, 65_536, 70_000]) {
    const [message] = readAll([serverFrame(opcode.binary, new Uint8Array(length).fill(5))]);
    expect(message).toMatchObject({ kind: "binary", bytes: { length } });
  }
});

test("what a client sends is masked, and unmasked it is what was given", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (payload) => {
      const frame = encodeFrame(opcode.binary, payload);
      const headBytes = payload.length < 126 ? 2 : 4;
      expect(frame[0]).toBe(0x82);
      expect((frame[1] ?? 0) & 0x80).toBe(0x80);
      const mask = frame.subarray(headBytes, headBytes + 4);
      const unmasked = frame.subarray(headBytes + 4).map((byte, index) => byte ^ (mask[index & 3] ?? 0));
      expect([...unmasked]).toEqual([...payload]);
    }),
  );
  expect(encodeFrame(opcode.binary, new Uint8Array(70_000)).length).toBe(70_000 + 14);
  expect(encodeClose(1000).length).toBe(8);
});

test("a close without a code is 1005", () => {
  expect(readAll([serverFrame(opcode.close, new Uint8Array())])).toEqual([
    { kind: "close", code: 1005, reason: "" },
  ]);
});

test.each([
  ["a masked frame", Uint8Array.of(0x82, 0x80, 1, 2, 3, 4)],
  ["a frame with an extension", Uint8Array.of(0xc2, 0)],
  ["a frame of an unknown kind", Uint8Array.of(0x83, 0)],
  ["a control frame in parts", Uint8Array.of(0x09, 0)],
  ["a long control frame", Uint8Array.of(0x89, 126, 0, 200)],
  ["a continuation of nothing", Uint8Array.of(0x80, 0)],
  ["a message inside another", Uint8Array.of(0x02, 0, 0x82, 0)],
  ["a message over 16 MiB", Uint8Array.of(0x82, 127, 0, 0, 0, 0, 1, 0, 0, 1)],
  ["text that is not UTF-8", Uint8Array.of(0x81, 1, 0xff)],
  ["half a close code", Uint8Array.of(0x88, 1, 3)],
])("%s is refused", (_name, bytes) => {
  expect(() => readAll([bytes])).toThrow(expect.objectContaining({ code: "INTERNAL" }));
});
