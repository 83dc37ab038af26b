// What a process asks its terminal, and the daemon answers: taken out of what the person's own terminal is shown, which would answer too, and
// whose answer would be typed into the process as well.
import { isAnsweredQuery, isAnsweredString } from "../../protocol/terminal-queries.ts";
import {
  EscapeScanner,
  type ControlSequence,
  type SequenceVisitor,
  type StringKind,
} from "../../util/escape-scanner.ts";
import { StreamEdits } from "../../util/stream-edits.ts";

// Pictures are longer, and no question is: they pass as they come.
const longestHeld = 1_024;
const nothing = new Uint8Array();

export class QueryFilter implements SequenceVisitor {
  readonly #scanner = new EscapeScanner(this, { longestBytes: longestHeld });
  readonly #edits = new StreamEdits();
  #bytes: Uint8Array = nothing;

  /** What may be shown now; a sequence that is not complete comes with the next part. */
  push(bytes: Uint8Array): Uint8Array {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    const complete = this.#scanner.scan(this.#bytes);
    const shown = this.#edits.apply(this.#bytes, { from: 0, to: complete });
    this.#edits.forgetBefore(complete);
    this.#bytes = this.#bytes.slice(complete);
    return shown;
  }

  /** Nothing more comes: what was held. */
  end(): Uint8Array {
    return this.#bytes;
  }

  controlSequence(sequence: ControlSequence, from: number, to: number): void {
    if (isAnsweredQuery(sequence)) this.#edits.add({ from, to, instead: nothing });
  }

  string(kind: StringKind, from: number, to: number): void {
    const text = Buffer.from(this.#bytes.subarray(from, to)).toString("latin1");
    if (kind === "dcs" && isAnsweredString(text)) this.#edits.add({ from, to, instead: nothing });
  }

  escapeSequence(): void {
    return;
  }

  bell(): void {
    return;
  }

  overlong(from: number): void {
    this.#edits.dropFrom(from);
  }
}
