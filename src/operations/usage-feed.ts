// Live figures for one reader. What a slow one has not taken is put together: it gets the newest of each row, and never a backlog.
import { UsageSampler, type ProcessContext, type UsageSample } from "../processes/index.ts";
import type { ProcessUsage, UsageUpdate } from "../protocol/usage.ts";
import type { Redactor } from "../redaction/index.ts";

export class UsageFeed {
  readonly #signal: AbortSignal;
  readonly #sampler: UsageSampler;

  constructor(processes: ProcessContext, redactor: Redactor) {
    this.#signal = processes.signal;
    this.#sampler = new UsageSampler(processes, (line) => redactor.line(line));
  }

  async *read(reader: AbortSignal | undefined): AsyncGenerator<UsageUpdate, void, undefined> {
    const signal = reader === undefined ? this.#signal : AbortSignal.any([this.#signal, reader]);
    const waiting = new Waiting(this.#sampler.snapshot());
    let wake = Promise.withResolvers<void>();
    const stop = this.#sampler.listen((sample) => {
      waiting.add(sample);
      wake.resolve();
    });
    const abort = (): void => wake.resolve();
    signal.addEventListener("abort", abort, { once: true });
    try {
      while (!signal.aborted) {
        const update = waiting.take();
        if (update !== undefined) yield update;
        else {
          await wake.promise;
          wake = Promise.withResolvers<void>();
        }
      }
    } finally {
      stop();
      signal.removeEventListener("abort", abort);
    }
  }
}

class Waiting {
  #rows = new Map<string, ProcessUsage>();
  #ended = new Set<string>();
  #newest: UsageSample | undefined;
  #isFirst = true;

  constructor(first: UsageSample | undefined) {
    if (first !== undefined) this.add(first);
  }

  add(sample: UsageSample): void {
    this.#newest = sample;
    for (const row of sample.rows) this.#rows.set(row.id, row);
    for (const id of sample.ended) this.#ended.add(id);
  }

  take(): UsageUpdate | undefined {
    if (this.#newest === undefined) return undefined;
    const { at, machine, daemon } = this.#newest;
    const update = {
      kind: "usage" as const,
      at,
      whole: this.#isFirst,
      machine,
      daemon,
      processes: [...this.#rows.values()],
      ended: [...this.#ended],
    };
    this.#newest = undefined;
    this.#rows = new Map();
    this.#ended = new Set();
    this.#isFirst = false;
    return update;
  }
}
