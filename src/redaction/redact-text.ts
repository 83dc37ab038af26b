// Redaction of a text that is there as a whole, or of a window of one.
import { markOf, RedactionRun, type RedactionSink } from "./redaction-run.ts";
import { ruleSet } from "./rules/rule-set.ts";

export interface RedactedText {
  readonly text: string;
  /** How many secrets were replaced. */
  readonly count: number;
}

export function redactText(text: string): RedactedText {
  const collector = new TextCollector();
  const run = new RedactionRun(ruleSet(), collector);
  run.push(text);
  run.finish("closed");
  return { text: collector.take(), count: collector.count };
}

/** Puts together what it hears. */
export class TextCollector implements RedactionSink {
  #parts: string[] = [];
  count = 0;

  keep(text: string): void {
    this.#parts.push(text);
  }

  hide(kind: string, _length: number, isContinued: boolean): void {
    if (isContinued) return;
    this.count += 1;
    this.#parts.push(markOf(kind));
  }

  /** What has come since it was last taken. */
  take(): string {
    const text = this.#parts.length === 1 ? (this.#parts[0] ?? "") : this.#parts.join("");
    this.#parts = [];
    return text;
  }
}
