// What a log consists of: pages that can be read, and the gaps between them.
import { pageBytes } from "~/processes/output/log-lines.ts";
import type { KeptRange } from "~/processes/output/read-log.ts";

export interface PageSpan {
  readonly kind: "page";
  /** Names the page: its first byte. */
  readonly from: number;
  readonly to: number;
  /** Nothing is kept before it. */
  readonly isFirst: boolean;
  /** Where what is kept without a hole ends. */
  readonly rangeEnd: number;
}

export interface GapSpan {
  readonly kind: "gap";
  readonly from: number;
  readonly to: number;
}

export type LogSpan = PageSpan | GapSpan;

export function spansOf(kept: readonly KeptRange[]): LogSpan[] {
  const spans: LogSpan[] = [];
  let last = 0;
  for (const { from, to } of kept) {
    if (from > last) spans.push({ kind: "gap", from: last, to: from });
    for (let begin = from; begin < to;) {
      const next = (Math.floor(begin / pageBytes) + 1) * pageBytes;
      spans.push({
        kind: "page",
        from: begin,
        to: Math.min(next, to),
        isFirst: begin === from,
        rangeEnd: to,
      });
      begin = next;
    }
    last = to;
  }
  return spans;
}

/** The span that holds an offset; else the nearest one behind it, or the last. -1 when there is none. */
export function spanAt(spans: readonly LogSpan[], offset: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return Math.min(low, spans.length - 1);
}
