// Output as it was written, byte for byte; with times, one before each line.
const newline = 0x0a;

export class RawPrinter {
  readonly #hasTimes: boolean;
  #isAtStart = true;

  constructor(options: { readonly timestamps: boolean }) {
    this.#hasTimes = options.timestamps;
  }

  push(bytes: Uint8Array, at: number): Uint8Array {
    if (!this.#hasTimes) return bytes;
    const time = Buffer.from(`${new Date(at).toISOString()} `);
    const parts: Uint8Array[] = [];
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(newline, from);
      const to = end < 0 ? bytes.length : end + 1;
      parts.push(...(this.#isAtStart ? [time] : []), bytes.subarray(from, to));
      this.#isAtStart = end >= 0;
      from = to;
    }
    return Buffer.concat(parts);
  }
}
