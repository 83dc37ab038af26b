// Redaction of bytes that come in pieces and keep their offsets: each byte of a secret becomes a star. What may yet turn out to be part of
// a secret is held back until it is known, or until whoever reads has waited long enough for it.
import { redactionContextBytes } from "./redact-window.ts";
import { RedactionRun } from "./redaction-run.ts";
import { cutFinding } from "./rules/cut.ts";
import { ruleSet } from "./rules/rule-set.ts";
import { MaskedBytes, unfinishedBytes } from "./masked-bytes.ts";
import type { StreamOptions } from "./stream-redactor.ts";

export class ByteRedactor {
  readonly #masked = new MaskedBytes();
  #run = new RedactionRun(ruleSet(), this.#masked);
  #startsInside: boolean;
  /** The last text that came in, as much as rules may need to know. */
  #recent: string[] = [];
  #recentLength = 0;
  #unfinished: Uint8Array = new Uint8Array();

  constructor({ startsInside = false }: StreamOptions = {}) {
    this.#startsInside = startsInside;
    if (startsInside) this.#run.beginInside(cutFinding());
  }

  /** Some bytes have not been told. */
  get holdsBack(): boolean {
    return this.#masked.isBehind || this.#unfinished.length > 0;
  }

  /** Returns what is decided by now: the bytes that follow those told before. */
  push(piece: Uint8Array): Uint8Array {
    const bytes = this.#unfinished.length === 0 ? piece : Buffer.concat([this.#unfinished, piece]);
    const unfinished = unfinishedBytes(bytes);
    this.#unfinished = bytes.subarray(bytes.length - unfinished);
    this.#read(bytes.subarray(0, bytes.length - unfinished));
    return this.#masked.take();
  }

  /** Nothing has come for a while: tells all there is, as at the edge of a page, where half a secret is hidden like a whole one. */
  pause(): Uint8Array {
    this.#readUnfinished();
    this.#run.finish("cut");
    this.#run = new RedactionRun(ruleSet(), this.#masked);
    if (this.#startsInside) this.#run.beginInside(cutFinding());
    // Read once more: what follows may be the rest of a secret that begins there.
    this.#masked.skip(this.#recentLength);
    for (const text of this.#recent) this.#run.push(text);
    return this.#masked.take();
  }

  /** The rest. `isCut`: more will follow that nobody can see now. */
  end({ isCut = false }: { readonly isCut?: boolean } = {}): Uint8Array {
    this.#readUnfinished();
    this.#run.finish(isCut ? "cut" : "closed");
    return this.#masked.take();
  }

  #readUnfinished(): void {
    const bytes = this.#unfinished;
    this.#unfinished = new Uint8Array();
    this.#read(bytes);
  }

  #read(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = this.#masked.add(bytes);
    this.#recent.push(text);
    this.#recentLength += text.length;
    for (;;) {
      const [first] = this.#recent;
      if (first === undefined || this.#recentLength - first.length < redactionContextBytes) break;
      this.#recent.shift();
      this.#recentLength -= first.length;
      this.#startsInside = true;
    }
    this.#run.push(text);
  }
}

/** Same length, same line ends; the same object where nothing is hidden. */
export function redactBytes(window: {
  readonly before?: string | Uint8Array;
  readonly text: Uint8Array;
  readonly after?: string | Uint8Array;
  readonly startsInside?: boolean;
  readonly endsInside?: boolean;
}): Uint8Array {
  const { startsInside = false, endsInside = false } = window;
  const redactor = new ByteRedactor({ startsInside });
  const [before, after] = [window.before ?? "", window.after ?? ""].map((part) => Buffer.from(part));
  const parts = [before ?? Buffer.alloc(0), window.text, after ?? Buffer.alloc(0)];
  const told = Buffer.concat([
    ...parts.map((part) => redactor.push(part)),
    redactor.end({ isCut: endsInside }),
  ]);
  const from = parts[0]?.length ?? 0;
  const clean = told.subarray(from, from + window.text.length);
  return clean.equals(window.text) ? window.text : clean;
}
