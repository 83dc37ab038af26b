// Finds the keys that leave a process: Ctrl-\ and then d. Everything else is for the process; Ctrl-\ twice is one
// Ctrl-\ for it. The first key is held back without a time limit: sent on by itself it would end most programs.

export interface Typed {
  /** For the process. */
  readonly forward: Buffer;
  readonly detach: boolean;
}

// Ctrl-\ as terminals send it: plain, with the kitty keyboard protocol, with xterm's modifyOtherKeys.
const prefixes = ["\u001c", "\u001b[92;5u", "\u001b[27;5;92~"];
const leaving = ["d", "D", "\u0004", "\u001b[100u", "\u001b[100;5u"];

export class DetachKeys {
  #held = "";

  push(bytes: Uint8Array): Typed {
    // latin1 keeps every byte apart, so that what is not ours goes on unchanged.
    let rest = Buffer.from(bytes).toString("latin1");
    let forward = "";
    while (rest !== "") {
      const prefix = prefixes.find((key) => rest.startsWith(key));
      if (this.#held !== "") {
        const held = this.#held;
        this.#held = "";
        if (leaving.some((key) => rest.startsWith(key))) return { forward: encode(forward), detach: true };
        forward += held;
        if (prefix !== undefined) rest = rest.slice(prefix.length);
      } else if (prefix !== undefined) {
        this.#held = prefix;
        rest = rest.slice(prefix.length);
      } else {
        const next = nextPrefix(rest);
        forward += rest.slice(0, next);
        rest = rest.slice(next);
      }
    }
    return { forward: encode(forward), detach: false };
  }
}

function nextPrefix(text: string): number {
  const found = prefixes.map((key) => text.indexOf(key)).filter((at) => at >= 0);
  return found.length === 0 ? text.length : Math.min(...found);
}

function encode(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
