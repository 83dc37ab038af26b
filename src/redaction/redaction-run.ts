// One text from its beginning to its end: hidden parts are taken out, secrets found in what is left, and everything that
// is decided is told in its order, with a mark where a secret was.
import type { Finding, TextEnd } from "./scan/rule.ts";
import { Scanner, type RuleSet, type Span } from "./scan/scanner.ts";
import {
  lengthBeforeReturn,
  splitText,
  uncertainEnd,
  type HiddenPart,
  type SplitText,
} from "./scan/hidden-text.ts";

/** Hears the text again, redacted. Lengths are of the text as it came in. */
export interface RedactionSink {
  keep(text: string, length: number): void;
  /** A secret, or another part of the one told before. */
  hide(kind: string, length: number, isContinued: boolean): void;
}

/** Something that is not text, until it is told. */
interface HiddenText {
  readonly at: number;
  readonly text: string;
  readonly content: HiddenPart["content"];
}

const nothingHidden: SplitText = { visible: "", hidden: [], rest: "" };

export function markOf(kind: string): string {
  return `[redacted:${kind}]`;
}

export class RedactionRun {
  readonly #scanner: Scanner;
  readonly #ruleSet: RuleSet;
  readonly #sink: RedactionSink;
  /** Of which nobody can say yet whether it is text. */
  #rest = "";
  #hidden: HiddenText[] = [];
  #hiddenTold = 0;
  #told = 0;
  /** The span that is told or comes next, by its place in the scanner's list. */
  #spanIndex = 0;
  #lastSpan: Span | undefined;

  constructor(ruleSet: RuleSet, sink: RedactionSink) {
    this.#ruleSet = ruleSet;
    this.#scanner = new Scanner(ruleSet);
    this.#sink = sink;
  }

  /** For a text that begins inside what may be a secret. */
  beginInside(finding: Finding): void {
    this.#scanner.beginInside(finding);
  }

  /** The work that rules have had with it; the gate reads every character once beside that. */
  get charactersRead(): number {
    return this.#scanner.text.charactersRead;
  }

  push(piece: string): void {
    // Joined, not added: reading a sum of strings character by character takes twice as long.
    const text = this.#rest === "" ? piece : [this.#rest, piece].join("");
    const certain = text.length - uncertainEnd(text);
    this.#rest = text.slice(certain);
    this.#take(text.slice(0, certain));
    this.#tell(this.#scanner.decided);
    this.#forget();
  }

  finish(end: Exclude<TextEnd, "open">): void {
    const scanner = this.#scanner;
    let rest = this.#rest;
    this.#rest = "";
    this.#take(rest);
    // A sequence that never ends: its first character is none, and what follows may hold a secret like any text.
    while (this.#rest !== "") {
      rest = this.#rest;
      this.#rest = "";
      this.#hidden.push({ at: scanner.text.end, text: rest.slice(0, 1), content: undefined });
      scanner.join(scanner.text.end);
      this.#take(rest.slice(1));
    }
    scanner.finish(end);
    this.#tell(scanner.text.end);
  }

  #take(text: string): void {
    const scanner = this.#scanner;
    const begin = scanner.text.end;
    const most = lengthBeforeReturn(text);
    const taken = scanner.append(most < text.length ? text.slice(0, most) : text);
    const split = taken === text.length ? nothingHidden : splitText(text, taken, scanner.text.end);
    for (const part of split.hidden) scanner.join(part.at);
    scanner.append(split.visible);
    this.#rest = split.rest + this.#rest;
    const told = this.#tellPlain(text, begin, split);
    for (const { at, from, to, content } of split.hidden.slice(told))
      this.#hidden.push({ at, text: text.slice(from, to), content });
  }

  /**
   * Where nothing is redacted, text is told as it came, without taking it apart: that is so for most of it. Returns how
   * many of the hidden parts were told with it.
   */
  #tellPlain(text: string, begin: number, { hidden, rest }: SplitText): number {
    const { decided, spans } = this.#scanner;
    const hasSpan = spans.some(({ end }, index) => index >= this.#spanIndex && end > this.#told);
    if (hasSpan || decided < begin || hidden.some(({ content }) => content !== undefined)) return 0;
    this.#tell(begin);
    let told = hidden.length;
    let length = text.length - rest.length - (this.#scanner.text.end - decided);
    for (let part = hidden[told - 1]; part !== undefined && part.at > decided; part = hidden[told - 1]) {
      length -= part.to - part.from;
      told -= 1;
    }
    this.#sink.keep(text.slice(0, length), length);
    this.#told = decided;
    return told;
  }

  #tell(to: number): void {
    for (;;) {
      const hidden = this.#hidden[this.#hiddenTold];
      if (hidden !== undefined && hidden.at === this.#told) {
        this.#tellHidden(hidden);
        this.#hiddenTold += 1;
        continue;
      }
      if (this.#told >= to) return;
      this.#tellVisible(Math.min(to, hidden?.at ?? to));
    }
  }

  /** As far as one span, or the text before one, reaches. */
  #tellVisible(most: number): void {
    const { spans, text } = this.#scanner;
    let span = spans[this.#spanIndex];
    while (span !== undefined && span.end <= this.#told) span = spans[++this.#spanIndex];
    const from = this.#told;
    if (span === undefined || span.start > from) {
      this.#told = Math.min(most, span?.start ?? most);
      this.#sink.keep(text.slice(from, this.#told), this.#told - from);
      return;
    }
    this.#told = Math.min(most, span.end);
    const isContinued = span === this.#lastSpan || span.start < (this.#lastSpan?.end ?? 0);
    this.#sink.hide(span.kind, this.#told - from, isContinued);
    this.#lastSpan = span;
  }

  /** A title or a link is a text of its own. */
  #tellHidden({ text, content }: HiddenText): void {
    if (content === undefined) {
      this.#sink.keep(text, text.length);
      return;
    }
    const inner = new RedactionRun(this.#ruleSet, this.#sink);
    this.#sink.keep(text.slice(0, content.from), content.from);
    inner.push(text.slice(content.from, content.to));
    inner.finish("closed");
    this.#sink.keep(text.slice(content.to), text.length - content.to);
  }

  #forget(): void {
    this.#spanIndex -= this.#scanner.forget(this.#told);
    if (this.#hiddenTold > 1_000) this.#hidden.splice(0, this.#hiddenTold);
    if (this.#hiddenTold > 1_000) this.#hiddenTold = 0;
  }
}
