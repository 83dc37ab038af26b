// Finds the matches of a watch again in the output that is kept.
import { readStoredOutput } from "../../keeper/index.ts";
import { firstKept } from "../output/first-kept.ts";
import { OutputScan } from "./output-scan.ts";
import { resumeAt, scanFrom } from "./scan-state.ts";
import type { FoundHits, Hit, HitsRequest } from "./worker-messages.ts";

/**
 * Read from the beginning of what is kept: only there it is certain where the lines of both streams begin. What comes
 * before `from` is put into lines and not looked at.
 */
export async function findHits({ directory, watch, from, limit }: HitsRequest): Promise<FoundHits> {
  const first = new FirstHits(limit);
  const state = scanFrom(await firstKept(directory));
  const scan = new OutputScan(
    { lines: [{ ...watch, from: Math.max(from, watch.from) }], rates: [], state, until: null },
    {
      onMatch: ({ offset, line, stream }) => first.add({ offset, line, stream: stream ?? "stdout" }),
      onGap: () => undefined, // gaps of the scan itself are recorded; this one looks at what is left
    },
  );
  for await (const event of readStoredOutput(directory, { from: scan.position, marks: true })) {
    scan.take(event);
    // Lines end in another order than they begin: only what begins before every unfinished one is certain.
    if (first.isFullBefore(resumeAt(scan.state))) break;
  }
  scan.end();
  return first.page();
}

/** Those that begin first. */
class FirstHits {
  readonly #limit: number;
  #hits: Hit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(hit: Hit): void {
    this.#hits.push(hit);
    // One more than asked for, to know that there are more.
    if (this.#hits.length > 2 * this.#limit + 1) this.#trim();
  }

  isFullBefore(offset: number): boolean {
    if (this.#hits.length <= this.#limit) return false;
    this.#trim();
    const last = this.#hits[this.#limit];
    return last !== undefined && last.offset < offset;
  }

  page(): FoundHits {
    this.#trim();
    const hits = this.#hits.slice(0, this.#limit);
    return { hits, next: this.#hits[this.#limit]?.offset ?? null };
  }

  #trim(): void {
    this.#hits = this.#hits.toSorted((a, b) => a.offset - b.offset).slice(0, this.#limit + 1);
  }
}
