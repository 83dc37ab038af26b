// Bytes as they arrive, handed out in the portions a parser needs. Nothing is copied twice: a portion that lies in one
// chunk is a view of it.

export class ByteQueue {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The byte at a position that is there. */
  at(position: number): number {
    let rest = position;
    for (const chunk of this.#chunks) {
      const byte = chunk[rest];
      if (byte !== undefined) return byte;
      rest -= chunk.length;
    }
    throw new RangeError(`no byte at ${position} of ${this.#length}`);
  }

  /** The first `count` bytes, which must be there. */
  take(count: number): Uint8Array {
    if (count > this.#length) throw new RangeError(`${count} bytes of ${this.#length}`);
    this.#length -= count;
    const [first] = this.#chunks;
    if (first !== undefined && first.length > count) {
      this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    if (first !== undefined && first.length === count) {
      this.#chunks.shift();
      return first;
    }
    return this.#gather(count);
  }

  #gather(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const chunk = this.#chunks.shift() ?? new Uint8Array(); // `take` has proven that there is enough
      const part = chunk.subarray(0, count - filled);
      bytes.set(part, filled);
      filled += part.length;
      if (part.length < chunk.length) this.#chunks.unshift(chunk.subarray(part.length));
    }
    return bytes;
  }

  /** Where the byte first stands at or after `from`; -1 when it is not there yet. */
  indexOf(byte: number, from: number): number {
    let base = 0;
    for (const chunk of this.#chunks) {
      const found = base + chunk.length > from ? chunk.indexOf(byte, Math.max(0, from - base)) : -1;
      if (found >= 0) return base + found;
      base += chunk.length;
    }
    return -1;
  }
}
