// Those watches of a process that read no output: silence, input, readiness.
import { runDirectory, KeptProcess } from "../../keeper/index.ts";
import type { ProcessRecord, WatchRecord } from "../../store/index.ts";
import { foundOnce, nothingFound, type Found } from "./found.ts";
import { InputWatch, type FoundInput } from "./input-watch.ts";
import { watchReady, type ReadySpec } from "./ready-watch.ts";
import { watchSilence } from "./silence-watch.ts";
import type { Standing } from "./standing.ts";
import { inputNotice, readyNotice } from "./watch-notices.ts";
import type { WatchHost } from "./watch-host.ts";

export interface StateWatchesOptions {
  readonly host: WatchHost;
  readonly record: ProcessRecord;
  /** As stored. */
  readonly standing: () => Standing;
  /** Resolves when it is stored. */
  readonly take: (found: Found) => Promise<void>;
}

interface Running {
  readonly close: () => void;
  readonly inputGiven?: () => void;
}

export class StateWatches {
  readonly #options: StateWatchesOptions;
  readonly #directory: string;
  readonly #running = new Map<string, Running>();

  constructor(options: StateWatchesOptions) {
    this.#options = options;
    this.#directory = runDirectory(options.host.home, options.record.id);
  }

  open(watch: WatchRecord): void {
    if (this.#running.has(watch.id)) return;
    const running = this.#begin(watch);
    if (running !== undefined) this.#running.set(watch.id, running);
  }

  close(id: string): void {
    this.#running.get(id)?.close();
    this.#running.delete(id);
  }

  closeAll(): void {
    for (const id of this.#running.keys()) this.close(id);
  }

  inputGiven(): void {
    for (const running of this.#running.values()) running.inputGiven?.();
  }

  #begin(watch: WatchRecord): Running | undefined {
    switch (watch.spec.kind) {
      case "silence":
        return this.#silence(watch, watch.spec.ms);
      case "input":
        return this.#input(watch);
      case "port":
      case "http":
        return this.#ready(watch, watch.spec);
      default:
        return undefined;
    }
  }

  #silence({ id }: WatchRecord, ms: number): Running {
    const { record, standing, take } = this.#options;
    return this.#inBackground((signal) =>
      watchSilence({
        directory: this.#directory,
        ms,
        startedAtMs: record.startedAt ?? record.createdAt,
        told: () => standing().silences[id],
        tell: (lastByteMs) => {
          const silences = (before: Standing): Standing => ({
            ...before,
            silences: { ...before.silences, [id]: lastByteMs },
          });
          return take(foundOnce(id, `nothing written for ${ms} ms`, silences));
        },
        signal,
      }),
    );
  }

  #ready(watch: WatchRecord, spec: ReadySpec): Running {
    const { host, record, take } = this.#options;
    const kept = new KeptProcess(host.launcher.run(record.id));
    const running = this.#inBackground(async (signal) => {
      const what = await watchReady(spec, kept, signal);
      await take({
        ...nothingFound,
        hits: [{ watch: watch.id, count: 1, offset: null, segments: [] }],
        notices: [readyNotice(record, watch, what, Date.now())],
        ended: [watch.id],
      });
    });
    return { close: () => [running.close(), kept.close()] };
  }

  #input(watch: WatchRecord): Running | undefined {
    const { host, record, standing } = this.#options;
    if (record.pid === null) return undefined;
    const kept = new KeptProcess(host.launcher.run(record.id));
    const input = new InputWatch({
      directory: this.#directory,
      pid: record.pid,
      kept,
      told: () => standing().input,
      windowMs: () => host.config().watch.windowMs,
      tell: (found) => this.#tellInput(watch, found),
      report: (error) => this.#report(error),
    });
    return { close: () => [input.close(), kept.close()], inputGiven: () => input.inputGiven() };
  }

  async #tellInput(watch: WatchRecord, found: FoundInput): Promise<void> {
    const { record, standing, take } = this.#options;
    const toldAt = Date.now();
    const number = (standing().input?.told ?? 0) + 1;
    const input = { told: number, toldAt, offset: found.offset };
    await take({
      ...nothingFound,
      hits: [{ watch: watch.id, count: 1, offset: found.offset, segments: [] }],
      notices: [inputNotice(record, watch, { ...found, number }, toldAt)],
      move: (before) => ({ ...before, input }),
    });
  }

  #inBackground(work: (signal: AbortSignal) => Promise<void>): Running {
    const over = new AbortController();
    void work(over.signal).catch((error: unknown) => {
      if (!over.signal.aborted) this.#report(error);
    });
    return { close: () => over.abort() };
  }

  #report(error: unknown): void {
    const { host, record } = this.#options;
    host.report(`A watch of ${record.id} failed.`, error, { processId: record.id });
  }
}
