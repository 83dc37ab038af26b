// A program of its own for each way, so that none pays for the memory of another: `node way-worker.ts JSON`. Told by
// messages what to do next, so that the rounds of all ways can take turns.
import { quantile } from "../keeper/statistics.ts";
import { LineTimes, type LineTimesResult } from "./line-times.ts";
import { ways, type WayName } from "./ways/names.ts";
import type { Way, WayOptions } from "./ways/way.ts";

export interface WorkerOptions extends WayOptions {
  readonly way: WayName;
}

export interface Orders {
  /** Starts so many short ones. */
  readonly round: { readonly count: number; readonly atOnce: number };
  readonly hold: { readonly count: number };
  /** Begins to receive what so many producers write. */
  readonly follow: { readonly argv: readonly string[]; readonly count: number };
  /** What came during so long from now on. */
  readonly listen: { readonly ms: number };
  /** Looks so often at everything that runs. */
  readonly list: { readonly count: number };
  readonly pids: Record<string, never>;
  readonly close: Record<string, never>;
}

export interface Answers {
  readonly round: { readonly p50: number; readonly totalMs: number; readonly residentMiB: number };
  readonly hold: null;
  readonly follow: null;
  readonly listen: LineTimesResult;
  readonly list: { readonly p50: number; readonly length: number };
  readonly pids: readonly number[];
  readonly close: null;
}

export type OrderName = keyof Orders;
export type Order = { [Name in OrderName]: { readonly name: Name; readonly work: Orders[Name] } }[OrderName];

class Worker {
  readonly #way: Way;
  readonly #times = new LineTimes();

  constructor(way: Way) {
    this.#way = way;
  }

  async obey(order: Order): Promise<Answers[OrderName]> {
    switch (order.name) {
      case "round":
        return await this.#round(order.work);
      case "hold":
        await this.#way.hold?.(order.work.count);
        return null;
      case "follow": {
        const { argv, count } = order.work;
        await this.#way.follow?.(argv, count, (index, bytes) => this.#times.receive(index, bytes));
        return null;
      }
      case "listen":
        return await this.#times.during(order.work.ms);
      case "list":
        return await this.#list(order.work.count);
      case "pids":
        return (await this.#way.ownPids?.()) ?? [];
      default:
        await this.#way.close();
        return null;
    }
  }

  async #round({ count, atOnce }: Orders["round"]): Promise<Answers["round"]> {
    const times: number[] = [];
    let left = count;
    const began = performance.now();
    const one = async (): Promise<void> => {
      while (left-- > 0) {
        const before = performance.now();
        await this.#way.startToEnd();
        times.push(performance.now() - before);
        await this.#way.tidy?.();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    const totalMs = performance.now() - began;
    return { p50: quantile(times, 0.5), totalMs, residentMiB: process.memoryUsage.rss() / 2 ** 20 };
  }

  async #list(count: number): Promise<Answers["list"]> {
    const times: number[] = [];
    let length = 0;
    for (let index = 0; index < count; index++) {
      const before = performance.now();
      length = (await this.#way.list?.()) ?? 0;
      times.push(performance.now() - before);
    }
    return { p50: quantile(times, 0.5), length };
  }
}

const { way: name, ...options } = JSON.parse(process.argv[2] ?? "") as WorkerOptions; // written by open-way.ts
const open = await ways[name]();
const worker = new Worker(await open(options));
process.on("message", (order) => {
  void worker.obey(order as Order).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
// The bench was killed.
process.on("disconnect", () => void worker.obey({ name: "close", work: {} }).finally(() => process.exit()));
process.send?.({ answer: null });
