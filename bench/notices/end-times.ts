// How long ends were on their way: what tells of one has the last line of its process, the monotonic time of its end.
import { quantile } from "../keeper/statistics.ts";

export interface EndTimesResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const stamp = /\b\d{19}\b/;

export class EndTimes {
  #times: number[] = [];
  #awaited = Promise.withResolvers<void>();
  #count = 0;

  /** Also told of the same end again, which a sink may be: then the first counts. */
  readonly #heard = new Set<string>();

  /** @param id of what tells it: two processes on two processors may end in the same nanosecond */
  receive(id: string, text: string): void {
    const nowNs = process.hrtime.bigint();
    const [at] = stamp.exec(text) ?? [];
    if (at === undefined) throw new Error(`an end without its time: ${text.slice(0, 200)}`);
    if (this.#heard.has(id)) return;
    this.#heard.add(id);
    this.#times.push(Number(nowNs - BigInt(at)) / 1e6);
    if (this.#times.length >= this.#count) this.#awaited.resolve();
  }

  /** Resolves when so many have been heard since the last time it was asked. */
  async reaches(count: number): Promise<void> {
    this.#count = count;
    this.#awaited = Promise.withResolvers<void>();
    if (this.#times.length >= count) return;
    await this.#awaited.promise;
  }

  take(): EndTimesResult {
    const times = this.#times;
    this.#times = [];
    return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  }
}
