// Finds escape sequences in a stream of bytes that comes in parts, and knows where none is open. It follows the state
// table of DEC's terminals as xterm.js has it, so that both agree on every byte where a sequence ends.
import { characterAt, incomplete, invalid, type ReadCharacter } from "./utf8-character.ts";

/** CSI prefix parameters intermediates final. The same object each time: copy what is kept. */
export interface ControlSequence {
  /** One of < = > ? as its code; 0 when there is none. */
  prefix: number;
  /** Their codes, the last one lowest; 0 when there is none. */
  intermediates: number;
  final: number;
  /** 0 when it is missing. */
  firstParameter: number;
  largestParameter: number;
}

export type StringKind = "osc" | "dcs" | "other";

/** Told what was found; places are those in the bytes given to the `scan` that goes on. */
export interface SequenceVisitor {
  controlSequence(sequence: ControlSequence, from: number, to: number): void;
  /** With its introducer, and with its terminator unless that is an escape sequence of its own. */
  string(kind: StringKind, from: number, to: number): void;
  /** ESC and one character, with others between; not what introduces one of the above. */
  escapeSequence(from: number, to: number): void;
  bell(at: number): void;
  /** Part of a sequence that is longer than allowed; told of nothing else. */
  overlong(from: number, to: number, isFirst: boolean): void;
}

type State =
  | "ground"
  | "escape"
  | "escape-intermediate"
  | "csi-entry"
  | "csi-parameter"
  | "csi-intermediate"
  | "csi-ignore"
  | "osc"
  | "dcs-entry"
  | "dcs-parameter"
  | "dcs-intermediate"
  | "dcs-ignore"
  | "dcs-data"
  | "other";

const bell = 0x07;
const cancel = 0x18;
const substitute = 0x1a;
const escape = 0x1b;
const colon = 0x3a;
const semicolon = 0x3b;
const largestNumber = 0x7fff_ffff;
// A character that ends what it stands in, in these states as an error: nothing came of the sequence.
const ignoresCharacters: ReadonlySet<State> = new Set(["csi-ignore", "osc", "dcs-ignore", "dcs-data"]);
const stringKinds: Readonly<Partial<Record<State, StringKind>>> = {
  osc: "osc",
  "dcs-entry": "dcs",
  "dcs-parameter": "dcs",
  "dcs-intermediate": "dcs",
  "dcs-ignore": "dcs",
  "dcs-data": "dcs",
  other: "other",
};

export class EscapeScanner {
  readonly #visitor: SequenceVisitor;
  readonly #longestBytes: number;
  readonly #sequence: ControlSequence = {
    prefix: 0,
    intermediates: 0,
    final: 0,
    firstParameter: 0,
    largestParameter: 0,
  };
  readonly #character: ReadCharacter = { code: 0, length: 0 };
  #state: State = "ground";
  /** Of the sequence; the string that its first byte ends may lie before it, and is done only with it. */
  #start = 0;
  #open = 0;
  #scanned = 0;
  #parameter = 0;
  #isFirstParameter = true;
  #isOverlong = false;

  constructor(visitor: SequenceVisitor, options: { readonly longestBytes: number }) {
    this.#visitor = visitor;
    this.#longestBytes = options.longestBytes;
  }

  get isInsideOverlong(): boolean {
    return this.#isOverlong;
  }

  /**
   * Returns how much is complete: the rest is an open sequence or character, and the next call's bytes begin with it.
   * What was told of the rest is not told again. Of an overlong sequence nothing is left open.
   */
  scan(bytes: Uint8Array): number {
    let at = this.#scanned;
    while (at < bytes.length) {
      if (this.#state === "ground") at = this.#ground(bytes, at);
      if (at >= bytes.length) break;
      const next = this.#next(bytes, at);
      if (next === at) break; // an open character
      at = next;
    }
    return this.#leave(at);
  }

  #leave(at: number): number {
    let complete = this.#open;
    if (this.#state === "ground") complete = at;
    else if (this.#isTooLong(at)) {
      this.#visitor.overlong(this.#open, at, !this.#isOverlong);
      this.#isOverlong = true;
      complete = at;
    }
    this.#scanned = at - complete;
    this.#open = 0;
    this.#start = Math.max(0, this.#start - complete);
    return complete;
  }

  /** Over plain text and whole control sequences, to the next byte that needs a closer look. */
  #ground(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at] as number; // within its length
      if (byte === escape) {
        const to = this.#wholeControlSequence(bytes, at);
        if (to < 0) return at;
        at = to;
      } else if (byte >= 0x80) {
        return at;
      } else {
        if (byte === bell) this.#visitor.bell(at);
        at += 1;
      }
    }
    return at;
  }

  /**
   * The commonest case, without the state table: one CSI sequence of 7 bits with nothing strange in it.
   * Tells where it ends; -1 when it is something else.
   */
  #wholeControlSequence(bytes: Uint8Array, from: number): number {
    if (bytes[from + 1] !== 0x5b) return -1;
    this.#clear("ground");
    const sequence = this.#sequence;
    let at = from + 2;
    let byte = bytes[at] ?? 0;
    if (byte >= 0x3c && byte < 0x40) {
      sequence.prefix = byte;
      byte = bytes[++at] ?? 0;
    }
    for (; byte >= 0x30 && byte < 0x3c; byte = bytes[++at] ?? 0) this.#inParameter(byte);
    for (; byte >= 0x20 && byte < 0x30; byte = bytes[++at] ?? 0)
      sequence.intermediates = (sequence.intermediates << 8) | byte;
    if (byte < 0x40 || byte >= 0x7f || at + 1 - from > this.#longestBytes) return -1;
    this.#endParameter();
    sequence.final = byte;
    this.#visitor.controlSequence(sequence, from, at + 1);
    return at + 1;
  }

  /** One byte, or one character. */
  #next(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number; // within its length
    if (byte >= 0x80) return this.#wide(bytes, at);
    if (byte === escape) this.#begin("escape", at);
    else if (byte === cancel || byte === substitute) this.#end(at + 1);
    else if (byte < 0x20) this.#control(byte, at);
    else if (byte < 0x7f) this.#printable(byte, at);
    return at + 1;
  }

  #wide(bytes: Uint8Array, at: number): number {
    const character = this.#character;
    characterAt(bytes, at, character);
    if (character.code === incomplete) return at;
    const to = at + character.length;
    if (character.code === invalid || this.#state === "ground") {
      if (character.code >= 0x80 && character.code < 0xa0) this.#eightBit(character.code, at, to);
    } else if (character.code < 0xa0) this.#eightBit(character.code, at, to);
    else if (!ignoresCharacters.has(this.#state)) this.#end(to);
    return to;
  }

  /** A control of 8 bits does the same in every state. */
  #eightBit(code: number, at: number, to: number): void {
    if (code === 0x9c) {
      this.#end(to);
      return;
    }
    if (code === 0x9b) this.#begin("csi-entry", at);
    else if (code === 0x9d) this.#begin("osc", at);
    else if (code === 0x90) this.#begin("dcs-entry", at);
    else if (code === 0x98 || code === 0x9e || code === 0x9f) this.#begin("other", at);
    else this.#end(at); // done, and whatever was open is over
  }

  #control(byte: number, at: number): void {
    if (this.#state === "osc" && byte === bell) this.#end(at + 1);
    // Done in the midst of a sequence, which goes on.
    else if (byte === bell && stringKinds[this.#state] === undefined) this.#visitor.bell(at);
  }

  #printable(byte: number, at: number): void {
    switch (this.#state) {
      case "escape":
        this.#afterEscape(byte, at);
        break;
      case "escape-intermediate":
        if (byte >= 0x30) this.#endEscape(at + 1);
        break;
      case "csi-entry":
      case "csi-parameter":
      case "csi-intermediate":
      case "csi-ignore":
        this.#inControlSequence(byte, at);
        break;
      case "dcs-entry":
      case "dcs-parameter":
      case "dcs-intermediate":
        this.#state = this.#inDeviceString(byte);
        break;
      default: // data of a string
        break;
    }
  }

  #afterEscape(byte: number, at: number): void {
    if (byte === 0x5b) this.#clear("csi-entry");
    else if (byte === 0x5d) this.#state = "osc";
    else if (byte === 0x50) this.#state = "dcs-entry";
    else if (byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#state = "other";
    else if (byte < 0x30) this.#state = "escape-intermediate";
    else this.#endEscape(at + 1);
  }

  #endEscape(to: number): void {
    if (!this.#isTooLong(to)) this.#visitor.escapeSequence(this.#start, to);
    this.#end(to);
  }

  #inControlSequence(byte: number, at: number): void {
    const sequence = this.#sequence;
    if (byte >= 0x40) {
      this.#endParameter();
      sequence.final = byte;
      const isSeen = this.#state !== "csi-ignore" && !this.#isTooLong(at + 1);
      if (isSeen) this.#visitor.controlSequence(sequence, this.#start, at + 1);
      this.#end(at + 1);
    } else if (this.#state === "csi-ignore") return;
    else if (byte < 0x30) {
      sequence.intermediates = (sequence.intermediates << 8) | byte;
      this.#state = "csi-intermediate";
    } else if (this.#state === "csi-intermediate") this.#state = "csi-ignore";
    else if (byte < 0x3c) {
      this.#state = "csi-parameter";
      this.#inParameter(byte);
    } else if (this.#state === "csi-parameter") this.#state = "csi-ignore";
    else {
      sequence.prefix = byte;
      this.#state = "csi-parameter";
    }
  }

  #inParameter(byte: number): void {
    if (byte === semicolon || byte === colon) this.#endParameter();
    else this.#parameter = Math.min(this.#parameter * 10 + byte - 0x30, largestNumber);
  }

  #endParameter(): void {
    const sequence = this.#sequence;
    if (this.#isFirstParameter) sequence.firstParameter = this.#parameter;
    if (this.#parameter > sequence.largestParameter) sequence.largestParameter = this.#parameter;
    this.#isFirstParameter = false;
    this.#parameter = 0;
  }

  #inDeviceString(byte: number): State {
    if (byte >= 0x40) return "dcs-data";
    if (byte < 0x30) return "dcs-intermediate";
    if (this.#state === "dcs-intermediate") return "dcs-ignore";
    return byte >= 0x3c && this.#state === "dcs-parameter" ? "dcs-ignore" : "dcs-parameter";
  }

  #begin(state: State, at: number): void {
    const isString = stringKinds[this.#state] !== undefined && !this.#isTooLong(at);
    this.#end(at);
    if (!isString) this.#open = at;
    this.#start = at;
    this.#clear(state);
  }

  #clear(state: State): void {
    const sequence = this.#sequence;
    sequence.prefix = 0;
    sequence.intermediates = 0;
    sequence.firstParameter = 0;
    sequence.largestParameter = 0;
    this.#parameter = 0;
    this.#isFirstParameter = true;
    this.#state = state;
  }

  /** What was open is over, with the byte before `to`. */
  #end(to: number): void {
    const kind = stringKinds[this.#state];
    if (this.#state === "ground") return;
    if (this.#isTooLong(to)) this.#visitor.overlong(this.#open, to, !this.#isOverlong);
    else if (kind !== undefined) this.#visitor.string(kind, this.#start, to);
    this.#isOverlong = false;
    this.#state = "ground";
  }

  #isTooLong(to: number): boolean {
    return this.#isOverlong || to - this.#open > this.#longestBytes;
  }
}
