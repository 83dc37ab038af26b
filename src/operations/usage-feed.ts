// Live figures for one reader. What a slow one has not taken is put together: it gets the newest of each row, and never a backlog.
import { UsageSampler, type ProcessContext, type UsageSample } from "../processes/index.ts";
import type { ProcessUsage, UsageUpdate } from "../protocol/usage.ts";
import type { Redactor } from "../redaction/index.ts";
import { Scope } from "./rights/scope.ts";
import type { UsageOptions } from "./runtime.ts";

export class UsageFeed {
  readonly #processes: ProcessContext;
  readonly #sampler: UsageSampler;

  constructor(processes: ProcessContext, redactor: Redactor) {
    this.#processes = processes;
    this.#sampler = new UsageSampler(processes, (line) => redactor.line(line));
  }

  async *read(options: UsageOptions): AsyncGenerator<UsageUpdate, void, undefined> {
    const scope = Scope.of(this.#processes, options.caller);
    const { signal: closing } = this.#processes;
    const signal = options.signal === undefined ? closing : AbortSignal.any([closing, options.signal]);
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
        if (update !== undefined) yield scope === undefined ? update : await this.#within(scope, update);
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

  /** Only what the reader's session may see. */
  async #within(scope: Scope, update: UsageUpdate): Promise<UsageUpdate> {
    const processes = await scope.seenOf(update.processes, ({ id }) => id);
    return { ...update, processes, ended: await scope.seenOf(update.ended, (id) => id) };
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
