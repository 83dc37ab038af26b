// What a scan has found since it was last told. Bounded: lines up to a limit, everything else as counts.
import { createRedactor, type Redactor } from "../../redaction/index.ts";
import { cutLine } from "./cut-line.ts";
import type { MatchedLine } from "./matched-line.ts";

/** Counts are kept for each of these parts of the output. */
export const segmentBytes = 1_048_576;

export interface WatchHits {
  readonly watch: string;
  readonly count: number;
  readonly lastOffset: number;
  /** Number of the segment, and how many. */
  readonly segments: readonly (readonly [segment: number, count: number])[];
}

/** How much of the lines is kept to be shown. */
export interface Keep {
  readonly lines: number;
  readonly characters: number;
  /** Secrets go before a line is cut. */
  readonly isRedacted: boolean;
}

interface Counts {
  count: number;
  lastOffset: number;
  readonly segments: Map<number, number>;
  /** The segment that is counted just now, and how many were counted before it. */
  segment: number;
  countBefore: number;
}

export class HitRecorder {
  #keep: Keep;
  readonly #redactor: Redactor;
  #counts = new Map<string, Counts>();
  #lines: MatchedLine[] = [];
  #characters = 0;
  #entries = 0;

  constructor(keep: Keep) {
    this.#keep = keep;
    this.#redactor = createRedactor({ enabled: keep.isRedacted });
  }

  set keep(keep: Keep) {
    this.#keep = keep;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** How much memory it takes, in counts. */
  get size(): number {
    return this.#entries;
  }

  add(found: MatchedLine & { readonly offset: number }): void {
    for (const watch of found.watches) this.#count(watch, found.offset);
    const room = this.#keep.characters - this.#characters;
    if (this.#lines.length >= this.#keep.lines || room <= 0) return;
    const line = cutLine(found.line, room, this.#redactor);
    this.#characters += line.length;
    this.#lines.push({ ...found, line });
  }

  /** Everything since the last time. */
  take(): { readonly hits: WatchHits[]; readonly lines: MatchedLine[] } {
    const hits = [...this.#counts].map(([watch, counts]) => {
      closeSegment(counts);
      return { watch, count: counts.count, lastOffset: counts.lastOffset, segments: [...counts.segments] };
    });
    const lines = this.#lines;
    this.#counts = new Map();
    this.#lines = [];
    this.#characters = 0;
    this.#entries = 0;
    return { hits, lines };
  }

  #count(watch: string, offset: number): void {
    const segment = Math.floor(offset / segmentBytes);
    let counts = this.#counts.get(watch);
    if (counts === undefined) {
      counts = { count: 0, lastOffset: 0, segments: new Map(), segment, countBefore: 0 };
      this.#counts.set(watch, counts);
      this.#entries += 1;
    } else if (segment !== counts.segment) {
      closeSegment(counts);
      counts.segment = segment;
      this.#entries += 1;
    }
    counts.count += 1;
    counts.lastOffset = Math.max(counts.lastOffset, offset);
  }
}

function closeSegment(counts: Counts): void {
  const { segments, segment, count, countBefore } = counts;
  segments.set(segment, (segments.get(segment) ?? 0) + count - countBefore);
  counts.countBefore = count;
}
