// How long lines were on their way: each begins with the nanoseconds of the monotonic clock at which it was written.
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "../keeper/statistics.ts";

export interface LineTimesResult {
  readonly lines: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// programs/write-lines.c
const stampDigits = 19;

export class LineTimes {
  readonly #rests = new Map<number, Buffer>();
  #times: number[] | undefined;

  receive(index: number, bytes: Buffer): void {
    const nowNs = process.hrtime.bigint();
    const rest = this.#rests.get(index);
    const all = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
    let from = 0;
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, from)) {
      const stamp = all.toString("latin1", from, from + stampDigits);
      this.#times?.push(Number(nowNs - BigInt(stamp)) / 1e6);
      from = end + 1;
    }
    if (from < all.length) this.#rests.set(index, Buffer.from(all.subarray(from)));
    else this.#rests.delete(index);
  }

  async during(ms: number): Promise<LineTimesResult> {
    const times: number[] = [];
    this.#times = times;
    await delay(ms);
    this.#times = undefined;
    if (times.length === 0) throw new Error("no lines came");
    return { lines: times.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  }
}
