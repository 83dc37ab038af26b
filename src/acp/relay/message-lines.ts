// Lines of a byte stream, one message each. What is too long to be looked into passes as it is.

export interface Piece {
  /** With the line break. */
  readonly bytes: Buffer;
  /** A whole line; false: a part of one that is longer than anybody looks into. */
  readonly isLine: boolean;
}

// Twice what the official SDK accepts.
const mostLineBytes = 64 * 1_048_576;
const lineFeed = 10;

export async function* messageLines(
  input: AsyncIterable<Buffer>,
  limitBytes: number = mostLineBytes,
): AsyncGenerator<Piece, void, undefined> {
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let isLong = false;
  const take = (): Piece => {
    const piece = { bytes: Buffer.concat(parts), isLine: !isLong };
    parts = [];
    heldBytes = 0;
    return piece;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      parts.push(chunk.subarray(from, at + 1));
      yield take();
      isLong = false;
      from = at + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    if (isLong || heldBytes > limitBytes) {
      isLong = true;
      yield take();
    }
  }
  // What was cut off by the end is no message.
  if (parts.length > 0) {
    isLong = true;
    yield take();
  }
}
