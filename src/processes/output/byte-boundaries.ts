// Where output may be cut: never inside a UTF-8 character, never inside an escape sequence.

const escape = 0x1b;
const bell = 0x07;
/** Longer than any title or link: an unfinished string of this length is garbage, not a sequence worth waiting for. */
export const longestSequence = 8_192;

type State = "ground" | "character" | "escape" | "intermediate" | "csi" | "string" | "string-escape";

/** Walks over bytes and knows after each one whether a cut is allowed there. */
export class BoundaryTracker {
  #state: State = "ground";
  #continuation = 0;
  #length = 0;

  get isBoundary(): boolean {
    return this.#state === "ground";
  }

  push(byte: number): void {
    // Most bytes: a megabyte is looked at between two turns of the daemon.
    if (this.#state === "ground" && byte < 0xc2 && byte !== escape) return;
    this.#length = this.#state === "ground" ? 1 : this.#length + 1;
    this.#state = this.#length > longestSequence ? "ground" : this.#next(byte);
  }

  #next(byte: number): State {
    switch (this.#state) {
      case "ground":
        return this.#fromGround(byte);
      case "character":
        if ((byte & 0xc0) !== 0x80) return this.#fromGround(byte); // broken off: the new byte stands for itself
        this.#continuation -= 1;
        return this.#continuation > 0 ? "character" : "ground";
      case "escape":
        if (byte === escape) return "escape"; // the one before it was alone
        if (byte === 0x5b) return "csi";
        if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
          return "string";
        return byte >= 0x20 && byte <= 0x2f ? "intermediate" : "ground";
      case "intermediate":
        if (byte === escape) return "escape";
        return byte >= 0x20 && byte <= 0x2f ? "intermediate" : "ground";
      case "csi":
        if (byte === escape) return "escape";
        return byte >= 0x20 && byte <= 0x3f ? "csi" : "ground";
      case "string":
        if (byte === bell) return "ground";
        return byte === escape ? "string-escape" : "string";
      default: // an escape inside a string: perhaps its end
        return byte === 0x5c ? "ground" : "string";
    }
  }

  #fromGround(byte: number): State {
    if (byte === escape) return "escape";
    if (byte < 0xc2 || byte > 0xf4) return "ground";
    this.#continuation = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    return "character";
  }
}
