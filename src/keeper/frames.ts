// Frames on the wire (CONTRACT.md §4): cutting a stream of bytes into frames, and the typed layouts of those
// that pass between a client and a keeper or launcher. Knows nothing of sockets.
import { HoldfastError } from "../protocol/errors.ts";
import {
  bytes,
  bytesList,
  count64,
  i32,
  readCount64,
  rest,
  u16,
  u32,
  u32List,
  u64,
  u8,
} from "./frame-fields.ts";
import type { Field, PayloadCursor } from "./frame-fields.ts";
import { errorCodeOf, frameLimits, frameType } from "./numbers.ts";

export interface Frame {
  readonly type: number;
  /** The request that this answers; 0 = not an answer. */
  readonly request: number;
  readonly payload: Buffer;
}

const lengthBytes = 4;
const requestAt = 5;

/** Cuts a stream into frames, however it was split on the way. */
export class FrameReader {
  readonly #mostBytes: number;
  readonly #length = Buffer.alloc(lengthBytes);
  #lengthFilled = 0;
  #body: Buffer | undefined;
  #bodyFilled = 0;

  constructor(mostBytes: number = frameLimits.mostBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Is the stream inside a frame? */
  get isPartial(): boolean {
    return this.#lengthFilled > 0 || this.#body !== undefined;
  }

  /**
   * The frames that end in this chunk. Payloads are views of `chunk` where the frame lies in it whole.
   * @throws HoldfastError CONTRACT_MISMATCH for a length no frame can have: the stream is then of no more use.
   */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (!this.isPartial && chunk.length - at >= lengthBytes) {
        const end = at + lengthBytes + this.#checked(chunk.readUInt32LE(at));
        if (end <= chunk.length) {
          frames.push(toFrame(chunk, at + lengthBytes, end));
          at = end;
          continue;
        }
      }
      at = this.#fill(chunk, at, frames);
    }
    return frames;
  }

  #fill(chunk: Buffer, from: number, frames: Frame[]): number {
    let at = from;
    if (this.#body === undefined) {
      const copied = chunk.copy(this.#length, this.#lengthFilled, at);
      this.#lengthFilled += copied;
      at += copied;
      if (this.#lengthFilled < lengthBytes) return at;
      // Allocated once at its full size: joining chunk by chunk would copy a large frame again and again.
      this.#body = Buffer.allocUnsafeSlow(this.#checked(this.#length.readUInt32LE(0)));
      this.#lengthFilled = 0;
      this.#bodyFilled = 0;
    }
    const copied = chunk.copy(this.#body, this.#bodyFilled, at);
    this.#bodyFilled += copied;
    if (this.#bodyFilled === this.#body.length) {
      frames.push(toFrame(this.#body, 0, this.#body.length));
      this.#body = undefined;
    }
    return at + copied;
  }

  #checked(length: number): number {
    if (length >= frameLimits.leastBytes && length <= this.#mostBytes) return length;
    throw new HoldfastError(
      "CONTRACT_MISMATCH",
      `The other side sent a frame of ${length} bytes, which cannot be.`,
    );
  }
}

function toFrame(chunk: Buffer, at: number, end: number): Frame {
  return {
    type: chunk.readUInt8(at),
    request: chunk.readUInt32LE(at + 1),
    payload: chunk.subarray(at + frameLimits.leastBytes, end),
  };
}

/** Sets the request number of an encoded frame; it is chosen only when the frame is sent, and anew when sent again. */
export function setRequest(encoded: Buffer, request: number): void {
  encoded.writeUInt32LE(request, requestAt);
}

/** Fills in the header of a frame whose payload lies behind the space left for it. */
export function writeHeader(encoded: Buffer, type: number, request: number): void {
  encoded.writeUInt32LE(encoded.length - lengthBytes, 0);
  encoded.writeUInt8(type, lengthBytes);
  encoded.writeUInt32LE(request, requestAt);
}

type FieldsOf<Payload> = { readonly [Name in keyof Payload]: Field<Payload[Name]> };

export interface FrameLayout<Payload> {
  readonly type: number;
  /** @throws HoldfastError REQUEST_TOO_LARGE */
  encode(payload: Payload, request?: number): Buffer;
  /** Trailing bytes are a newer minor version's and ignored. @throws HoldfastError CONTRACT_MISMATCH */
  decode(payload: Buffer): Payload;
}

function layout<Payload extends object>(type: number, fields: FieldsOf<Payload>): FrameLayout<Payload> {
  // Object.entries forgets which field belongs to which name; FieldsOf<Payload> on the outside keeps it.
  const entries = Object.entries(fields) as unknown as Array<[keyof Payload & string, Field<unknown>]>;
  const name = Object.entries(frameType).find(([, number]) => number === type)?.[0] ?? String(type);
  return {
    type,
    encode(payload, request = 0) {
      const size = entries.reduce<number>(
        (sum, [key, each]) => sum + each.size(payload[key]),
        frameLimits.headerBytes,
      );
      if (size - lengthBytes > frameLimits.mostBytes) {
        throw new HoldfastError(
          "REQUEST_TOO_LARGE",
          `A ${name} frame of ${size} bytes is larger than a frame may be.`,
        );
      }
      const encoded = Buffer.allocUnsafe(size);
      writeHeader(encoded, type, request);
      entries.reduce<number>(
        (at, [key, each]) => each.write(encoded, at, payload[key]),
        frameLimits.headerBytes,
      );
      return encoded;
    },
    decode(payload) {
      const cursor: PayloadCursor = { payload, at: 0 };
      try {
        const read: Partial<Record<keyof Payload, unknown>> = {};
        for (const [key, field] of entries) read[key] = field.read(cursor);
        return read as Payload; // built field by field from the layout that is typed by Payload
      } catch (error) {
        throw damaged(name, error);
      }
    },
  };
}

function damaged(name: string, cause: unknown): HoldfastError {
  return new HoldfastError("CONTRACT_MISMATCH", `A ${name} frame cannot be read.`, { cause });
}

/** As its layout would, without the loop over fields: there is one for every line a process writes. */
function decodeData(payload: Buffer): { readonly offset: number; readonly data: Buffer } {
  try {
    return { offset: readCount64(payload, 0), data: payload.subarray(8) };
  } catch (error) {
    throw damaged("data", error);
  }
}

/** As above: an index line comes with every few lines of output. */
function decodeMark(payload: Buffer): {
  readonly kind: number;
  readonly timeUs: number;
  readonly offset: number;
  readonly value: number;
} {
  try {
    return {
      kind: payload.readUInt8(0),
      timeUs: readCount64(payload, 1),
      offset: readCount64(payload, 9),
      value: readCount64(payload, 17),
    };
  } catch (error) {
    throw damaged("mark", error);
  }
}

const nothing = {};

/** What a client sends. START has an encoder of its own (start-request.ts): it is on the path that is measured. */
export const requestFrames = {
  hello: layout(frameType.hello, { major: u16, minor: u16 }),
  askState: layout(frameType.askState, nothing),
  output: layout(frameType.output, { from: u64, credit: count64, flags: u8 }),
  credit: layout(frameType.credit, { more: count64 }),
  write: layout(frameType.write, { writer: u64, sequence: count64, flags: u8, data: rest }),
  closeStdin: layout(frameType.closeStdin, nothing),
  resize: layout(frameType.resize, { columns: u16, rows: u16 }),
  signal: layout(frameType.signal, { number: u32, target: u8 }),
  stop: layout(frameType.stop, { graceMs: u32, flags: u8, reason: u8, by: rest }),
  hangup: layout(frameType.hangup, nothing),
  reexec: layout(frameType.reexec, { path: rest }),
  spare: layout(frameType.spare, nothing),
  outside: layout(frameType.outside, { cwd: bytes, argv: bytesList, env: bytesList }),
  ping: layout(frameType.ping, nothing),
  recover: layout(frameType.recover, { id: bytes }),
  status: layout(frameType.status, nothing),
} as const;

/** What a keeper or a launcher sends. */
export const answerFrames = {
  hello: layout(frameType.hello, { major: u16, minor: u16, more: rest }),
  keeperHello: layout(frameType.hello, { major: u16, minor: u16, id: bytes, keeperPid: u32 }),
  ok: layout(frameType.ok, { value: u64 }),
  error: layout(frameType.error, { code: u16, errno: i32, value: u64, message: rest }),
  state: layout(frameType.state, { text: rest }),
  data: { ...layout(frameType.data, { offset: count64, data: rest }), decode: decodeData },
  mark: {
    ...layout(frameType.mark, { kind: u8, timeUs: count64, offset: count64, value: count64 }),
    decode: decodeMark,
  },
  outputEnd: layout(frameType.outputEnd, { nextOffset: count64, why: u8 }),
  missing: layout(frameType.missing, { from: count64, to: count64, why: u8 }),
  started: layout(frameType.started, { keeperPid: u32, pid: u32, childStart: count64 }),
  startFailed: layout(frameType.startFailed, { stage: u8, errno: i32 }),
  ended: layout(frameType.ended, { text: rest }),
  stopped: layout(frameType.stopped, { outcome: u8, killed: u32, left: u32, pids: u32List }),
  stdinRoom: layout(frameType.stdinRoom, nothing),
} as const;

/** The error that an ERROR frame tells. */
export function errorOfFrame(payload: Buffer): HoldfastError {
  const { code, errno, value, message } = answerFrames.error.decode(payload);
  const errorCode = errorCodeOf(code);
  const details = {
    ...(errno === 0 ? {} : { errno }),
    ...(errorCode === "OUTPUT_TRIMMED" ? { firstOffset: Number(value) } : {}),
    ...(errorCode === "INTERNAL" ? { keeperError: code } : {}),
  };
  const text =
    errorCode === "OUTPUT_TRIMMED"
      ? `The output at this offset is not kept; the next that is begins at ${value}.`
      : message.toString() || `The keeper answered error ${code}.`;
  return new HoldfastError(errorCode, text, { details });
}
