// Redaction of a part of a longer text: done with what stands around it, and cut afterwards, so that a secret that the
// edge would split is hidden on both of its sides.
import { markOf, RedactionRun, type RedactionSink } from "./redaction-run.ts";
import type { RedactedText } from "./redact-text.ts";
import { cutFinding } from "./rules/cut.ts";
import { ruleSet } from "./rules/rule-set.ts";

/**
 * How much text around a window must be known, on each side: the longest that a rule leaves undecided, a private key of
 * 4,096 bits, and the lines next to an assignment fit into it.
 */
export const redactionContextBytes = 16_384;

export interface RedactionWindow {
  /** What stands before the window; at least as much as the context, unless the text begins there. */
  readonly before?: string | Uint8Array;
  /** Bytes are read as UTF-8; cut them between characters. */
  readonly text: string | Uint8Array;
  readonly after?: string | Uint8Array;
  /** True: the text begins before `before`. */
  readonly startsInside?: boolean;
  /** True: the text goes on behind `after`, or may, because it is still being written. */
  readonly endsInside?: boolean;
}

export function redactWindow(window: RedactionWindow): RedactedText {
  const pieces = [window.before ?? "", window.text, window.after ?? ""].map(textOf);
  const { parts, count } = redactParts(pieces, { ...window, repeatsMarks: true });
  return { text: parts[1] ?? "", count: count[1] ?? 0 };
}

export function textOf(text: string | Uint8Array): string {
  return typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
}

/** Parts that are one text together: each is told apart, and a secret in several of them is marked in the first. */
export function redactPieces(
  pieces: readonly string[],
  edges: Pick<RedactionWindow, "startsInside" | "endsInside"> = {},
): string[] {
  return redactParts(pieces, { ...edges, repeatsMarks: false }).parts;
}

interface PartOptions {
  readonly startsInside?: boolean;
  readonly endsInside?: boolean;
  /** True: every part that a secret touches gets the mark. */
  readonly repeatsMarks: boolean;
}

function redactParts(
  pieces: readonly string[],
  options: PartOptions,
): { readonly parts: string[]; readonly count: readonly number[] } {
  const collector = new PartCollector(pieces, options.repeatsMarks);
  const run = new RedactionRun(ruleSet(), collector);
  if (options.startsInside === true) run.beginInside(cutFinding());
  for (const piece of pieces) run.push(piece);
  run.finish(options.endsInside === true ? "cut" : "closed");
  return { parts: collector.parts, count: collector.count };
}

/** Cuts what it hears where the pieces were cut. */
class PartCollector implements RedactionSink {
  readonly parts: string[];
  readonly count: number[];
  readonly #ends: readonly number[];
  readonly #repeatsMarks: boolean;
  #at = 0;
  #part = 0;
  #lastMarked = -1;

  constructor(pieces: readonly string[], repeatsMarks: boolean) {
    this.parts = pieces.map(() => "");
    this.count = pieces.map(() => 0);
    let end = 0;
    this.#ends = pieces.map(({ length }) => (end += length));
    this.#repeatsMarks = repeatsMarks;
  }

  keep(text: string): void {
    this.#walk(text.length, (part, from, to) => {
      this.parts[part] = (this.parts[part] ?? "") + text.slice(from, to);
    });
  }

  hide(kind: string, length: number, isContinued: boolean): void {
    if (!isContinued) this.#lastMarked = -1;
    this.#walk(length, (part) => {
      const isMarked = this.#lastMarked === part || (this.#lastMarked >= 0 && !this.#repeatsMarks);
      if (isMarked) return;
      this.#lastMarked = part;
      this.parts[part] = (this.parts[part] ?? "") + markOf(kind);
      this.count[part] = (this.count[part] ?? 0) + 1;
    });
  }

  /** Calls back for each part that the next so many characters touch, with where they are inside them. */
  #walk(length: number, visit: (part: number, from: number, to: number) => void): void {
    let done = 0;
    while (done < length) {
      const room = (this.#ends[this.#part] ?? Infinity) - this.#at;
      if (room === 0) {
        this.#part += 1;
        continue;
      }
      const step = Math.min(room, length - done);
      visit(this.#part, done, done + step);
      done += step;
      this.#at += step;
    }
  }
}
