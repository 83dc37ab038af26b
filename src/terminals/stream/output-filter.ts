// What a program wrote, made safe to draw: whole sequences only, none that is endless, asks a terminal to do something for ever, or
// writes the clipboard. Viewers get what the emulator gets, without what it answers, and with a bell now and then instead of a storm of them.
import { isAnsweredQuery, isAnsweredString } from "../../protocol/terminal-queries.ts";
import { mostRows } from "../../protocol/terminal-size.ts";
import {
  EscapeScanner,
  type ControlSequence,
  type SequenceVisitor,
  type StringKind,
} from "../../util/escape-scanner.ts";
import { StreamEdits, type Edit } from "../../util/stream-edits.ts";
import { costOf, costOfEscape } from "./sequence-cost.ts";

/** Can be drawn in one go, in a time that is not felt elsewhere. */
export interface FilteredPart {
  /** How much of the output this is. */
  readonly rawBytes: number;
  readonly emulator: Uint8Array;
  readonly viewers: Uint8Array;
}

interface FilterEdit extends Edit {
  /** The emulator gets it unchanged. */
  readonly forViewersOnly: boolean;
}

const nothing = new Uint8Array();
// Does nothing, and yet stands between the characters before and after it, as what was taken out did.
const noEffect = Uint8Array.of(0);
// Longer than any link or palette; what is longer carries data that nothing here draws.
const longestSequence = 16_384;
const longestTitle = 2_048;
// No program needs more, and some sequences are repeated so often.
const largestParameter = 9_999;
const mostCost = 256;
const bellsPerSecond = 10;
const bellByte = 0x07;
// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const oscCommand = /^(?:\u001b\]|\u00c2\u009d)(\d*)(?:;(.*))?$/s;
const repeatsLines = new Set(Array.from("LMST", (letter) => letter.charCodeAt(0)));

export class OutputFilter implements SequenceVisitor {
  readonly #scanner = new EscapeScanner(this, { longestBytes: longestSequence });
  readonly #edits = new StreamEdits<FilterEdit>();
  readonly #now: () => number;
  #bytes: Uint8Array = nothing;
  #cuts: number[] = [];
  #cost = 0;
  #bells = 0;
  #bellsSince = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** How much of what was pushed is held back, because a sequence or character is not complete. */
  get heldBytes(): number {
    return this.#bytes.length;
  }

  /** In the midst of a sequence that is taken out: what comes next is not to be drawn, and looks as if it were. */
  get isInsideOverlong(): boolean {
    return this.#scanner.isInsideOverlong;
  }

  push(bytes: Uint8Array): FilteredPart[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    const complete = this.#scanner.scan(this.#bytes);
    const parts: FilteredPart[] = [];
    let from = 0;
    for (const to of [...this.#cuts.filter((cut) => cut < complete), complete]) {
      if (to > from) parts.push(this.#part(from, to));
      from = to;
    }
    this.#cuts = this.#cuts.filter((cut) => cut > complete).map((cut) => cut - complete);
    this.#edits.forgetBefore(complete);
    // A copy: what is held must not keep a large part of the stream.
    this.#bytes = this.#bytes.slice(complete);
    return parts;
  }

  controlSequence(sequence: ControlSequence, from: number, to: number): void {
    const most = repeatsLines.has(sequence.final) ? mostRows : largestParameter;
    if (sequence.largestParameter > most) {
      const text = this.#text(from, to).replaceAll(/\d+/g, (digits) =>
        String(Math.min(Number(digits), most)),
      );
      this.#edits.add({ from, to, instead: Buffer.from(text, "latin1"), forViewersOnly: false });
    } else if (isAnsweredQuery(sequence)) {
      this.#edits.add({ from, to, instead: noEffect, forViewersOnly: true });
    }
    this.#addCost(costOf(sequence, mostRows), to);
  }

  string(kind: StringKind, from: number, to: number): void {
    if (kind === "dcs" && isAnsweredString(this.#text(from, Math.min(to, from + 64))))
      this.#edits.add({ from, to, instead: noEffect, forViewersOnly: true });
    if (kind === "osc") this.#osc(from, to);
  }

  escapeSequence(from: number, to: number): void {
    this.#addCost(costOfEscape(this.#bytes.subarray(from, to)), to);
  }

  bell(at: number): void {
    const now = this.#now();
    if (now - this.#bellsSince >= 1_000) {
      this.#bellsSince = now;
      this.#bells = 0;
    }
    this.#bells += 1;
    if (this.#bells > bellsPerSecond)
      this.#edits.add({ from: at, to: at + 1, instead: noEffect, forViewersOnly: true });
  }

  overlong(from: number, to: number, isFirst: boolean): void {
    this.#edits.dropFrom(from);
    this.#edits.add({ from, to, instead: isFirst ? noEffect : nothing, forViewersOnly: false });
  }

  #osc(from: number, to: number): void {
    const ended = this.#bytes[to - 1] === bellByte ? to - 1 : to;
    const [, number = "", rest = ""] = oscCommand.exec(this.#text(from, ended)) ?? [];
    const isTitle = number === "0" || number === "1" || number === "2";
    if (number === "52" || (isTitle && to - from > longestTitle))
      this.#edits.add({ from, to, instead: noEffect, forViewersOnly: false });
    // Asks for a colour, which only a viewer knows, and each another one: nobody answers.
    else if (/^(?:4|10|11|12)$/.test(number) && /(?:^|;)\?/.test(rest))
      this.#edits.add({ from, to, instead: noEffect, forViewersOnly: true });
  }

  #addCost(cost: number, at: number): void {
    this.#cost += cost;
    if (this.#cost < mostCost) return;
    this.#cost = 0;
    this.#cuts.push(at);
  }

  #part(from: number, to: number): FilteredPart {
    return {
      rawBytes: to - from,
      emulator: this.#edits.apply(this.#bytes, { from, to }, (edit) => !edit.forViewersOnly),
      viewers: this.#edits.apply(this.#bytes, { from, to }),
    };
  }

  #text(from: number, to: number): string {
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + from, to - from).toString("latin1");
  }
}
