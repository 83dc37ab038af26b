// Redaction of text that comes in pieces. What may yet turn out to be part of a secret is held back until it is known.
import { cutFinding } from "./rules/cut.ts";
import { RedactionRun } from "./redaction-run.ts";
import { TextCollector } from "./redact-text.ts";
import { ruleSet } from "./rules/rule-set.ts";

export interface StreamOptions {
  /** The stream begins in the middle of something: the rest of a secret may come first. */
  readonly startsInside?: boolean;
}

export class StreamRedactor {
  readonly #collector = new TextCollector();
  readonly #run = new RedactionRun(ruleSet(), this.#collector);
  // A byte order mark is text like any other here: what comes out must be what came in.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  constructor({ startsInside = false }: StreamOptions = {}) {
    if (startsInside) this.#run.beginInside(cutFinding());
  }

  /** How many secrets have been replaced so far. */
  get count(): number {
    return this.#collector.count;
  }

  /** Bytes are read as UTF-8, also where a character is split between two pieces. Returns what is decided by now. */
  push(piece: string | Uint8Array): string {
    this.#run.push(typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true }));
    return this.#collector.take();
  }

  /** The rest. `isCut`: more will follow that nobody can see now, so that half a secret is hidden like a whole one. */
  end({ isCut = false }: { readonly isCut?: boolean } = {}): string {
    this.#run.push(this.#decoder.decode());
    this.#run.finish(isCut ? "cut" : "closed");
    return this.#collector.take();
  }
}
