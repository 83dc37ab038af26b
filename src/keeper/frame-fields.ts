// How the fields of a frame's payload are laid out (CONTRACT.md §4): little-endian, `bytes` with a length
// before it, `rest` to the end of the frame. A layout is a list of named fields and gives both directions.

/** Where the next field is read. */
export interface PayloadCursor {
  readonly payload: Buffer;
  at: number;
}

export interface Field<Value> {
  size(value: Value): number;
  /** Writes at `at`, and returns where the next field goes. */
  write(target: Buffer, at: number, value: Value): number;
  read(cursor: PayloadCursor): Value;
}

function take(cursor: PayloadCursor, length: number): number {
  const at = cursor.at;
  if (at + length > cursor.payload.length) throw new RangeError("the frame ends inside a field");
  cursor.at = at + length;
  return at;
}

export const u8: Field<number> = {
  size: () => 1,
  write: (target, at, value) => target.writeUInt8(value, at),
  read: (cursor) => cursor.payload.readUInt8(take(cursor, 1)),
};

export const u16: Field<number> = {
  size: () => 2,
  write: (target, at, value) => target.writeUInt16LE(value, at),
  read: (cursor) => cursor.payload.readUInt16LE(take(cursor, 2)),
};

export const u32: Field<number> = {
  size: () => 4,
  write: (target, at, value) => target.writeUInt32LE(value, at),
  read: (cursor) => cursor.payload.readUInt32LE(take(cursor, 4)),
};

export const i32: Field<number> = {
  size: () => 4,
  write: (target, at, value) => target.writeInt32LE(value, at),
  read: (cursor) => cursor.payload.readInt32LE(take(cursor, 4)),
};

/** A u64 that uses all its bits: writers, deadlines. */
export const u64: Field<bigint> = {
  size: () => 8,
  write: (target, at, value) => target.writeBigUInt64LE(value, at),
  read: (cursor) => cursor.payload.readBigUInt64LE(take(cursor, 8)),
};

/** A u64 that counts bytes or microseconds: a double holds 9 PB exactly, and is far cheaper than a bigint. */
export const count64: Field<number> = {
  size: () => 8,
  write(target, at, value) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count`);
    return target.writeUInt32LE(
      Math.floor(value / 0x1_0000_0000),
      target.writeUInt32LE(value % 0x1_0000_0000, at),
    );
  },
  read(cursor) {
    return readCount64(cursor.payload, take(cursor, 8));
  },
};

/** @throws RangeError outside the payload, or above 2^53 */
export function readCount64(payload: Buffer, at: number): number {
  const value = payload.readUInt32LE(at) + payload.readUInt32LE(at + 4) * 0x1_0000_0000;
  if (!Number.isSafeInteger(value)) throw new RangeError("a count is above 2^53");
  return value;
}

export const bytes: Field<Buffer> = {
  size: (value) => 4 + value.length,
  write(target, at, value) {
    const start = target.writeUInt32LE(value.length, at);
    return start + value.copy(target, start);
  },
  read(cursor) {
    const length = u32.read(cursor);
    const at = take(cursor, length);
    return cursor.payload.subarray(at, at + length);
  },
};

export const bytesList: Field<readonly Buffer[]> = {
  size: (values) => values.reduce((total, value) => total + bytes.size(value), 4),
  write(target, at, values) {
    return values.reduce(
      (next, value) => bytes.write(target, next, value),
      target.writeUInt32LE(values.length, at),
    );
  },
  read(cursor) {
    return Array.from({ length: listLength(cursor) }, () => bytes.read(cursor));
  },
};

export const u32List: Field<readonly number[]> = {
  size: (values) => 4 + 4 * values.length,
  write(target, at, values) {
    return values.reduce(
      (next, value) => target.writeUInt32LE(value, next),
      target.writeUInt32LE(values.length, at),
    );
  },
  read(cursor) {
    return Array.from({ length: listLength(cursor) }, () => u32.read(cursor));
  },
};

/** Every element takes four bytes at least: a count that cannot be true is refused before anything is allocated. */
function listLength(cursor: PayloadCursor): number {
  const length = u32.read(cursor);
  if (length * 4 > cursor.payload.length - cursor.at) throw new RangeError("a list is longer than its frame");
  return length;
}

/** All that is left in the frame; only as the last field. */
export const rest: Field<Buffer> = {
  size: (value) => value.length,
  write: (target, at, value) => at + value.copy(target, at),
  read(cursor) {
    const at = take(cursor, cursor.payload.length - cursor.at);
    return cursor.payload.subarray(at);
  },
};
