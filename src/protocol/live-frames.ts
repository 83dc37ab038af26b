// The messages of GET /v1/process.output/live: data and input as binary, everything else as JSON text. Both ends use
// this file, so it has no zod and nothing of Node: a client must start fast and run in a browser.
import type { LiveOutput } from "./live-output.ts";

export type OutputData = Extract<LiveOutput, { kind: "data" }>;

export interface InputFrame {
  /** Count of the bytes this writer has sent before these. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

const dataKind = 1;
const inputKind = 2;
// kind u8, stream u8, offset u64, at f64; all little-endian.
export const dataHeaderBytes = 18;
// kind u8, sequence u64.
const inputHeaderBytes = 9;

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const header = new Uint8Array(dataHeaderBytes);
const headerView = viewOf(header);
header[0] = dataKind;

/** For whoever puts the frame together: what stands before the bytes. */
export function writeDataHeader(
  target: Uint8Array,
  position: number,
  stream: OutputData["stream"],
  offset: number,
  at: number,
): void {
  header[1] = stream === "stderr" ? 1 : 0;
  headerView.setUint32(2, offset % 0x1_0000_0000, true);
  headerView.setUint32(6, Math.floor(offset / 0x1_0000_0000), true);
  headerView.setFloat64(10, at, true);
  target.set(header, position);
}

/** The bytes are a view of the frame, not a copy. Undefined for a frame of another kind: a newer peer may send some. */
export function decodeOutputData(frame: Uint8Array): OutputData | undefined {
  if (frame.length < dataHeaderBytes || frame[0] !== dataKind) return undefined;
  const view = viewOf(frame);
  return {
    kind: "data",
    stream: view.getUint8(1) === 1 ? "stderr" : "stdout",
    offset: Number(view.getBigUint64(2, true)),
    at: view.getFloat64(10, true),
    bytes: frame.subarray(dataHeaderBytes),
  };
}

export function encodeInput({ sequence, bytes }: InputFrame): Uint8Array {
  const frame = new Uint8Array(inputHeaderBytes + bytes.length);
  const view = viewOf(frame);
  view.setUint8(0, inputKind);
  view.setBigUint64(1, BigInt(sequence), true);
  frame.set(bytes, inputHeaderBytes);
  return frame;
}

/** As decodeOutputData. */
export function decodeInput(frame: Uint8Array): InputFrame | undefined {
  if (frame.length < inputHeaderBytes || frame[0] !== inputKind) return undefined;
  return {
    sequence: Number(viewOf(frame).getBigUint64(1, true)),
    bytes: frame.subarray(inputHeaderBytes),
  };
}

/** Close codes of the application range that both ends know. */
export const closeCode = { normal: 1000, goingAway: 1001, tooSlow: 4008 } as const;

/** Names of headers, in the lower case that every HTTP library gives them in. */
export const headerName = {
  requestId: "holdfast-request-id",
  /** Percent-encoded UTF-8: a session key may hold any character. */
  session: "holdfast-session",
  version: "holdfast-version",
} as const;
