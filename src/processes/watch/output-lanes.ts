// The scans of one process: one for all its watches on output, and one for each that was added for what came before.
import { isHoldfastError } from "../../protocol/errors.ts";
import type { WatchRecord } from "../../store/index.ts";
import type { Keep } from "./hit-recorder.ts";
import { scanFrom } from "./scan-state.ts";
import type { Standing } from "./standing.ts";
import type { LineWatch } from "./stream-scan.ts";
import type { ScanHandle, WorkerLink } from "./worker-link.ts";
import type { Batch, RateWatch, ScanRequest } from "./worker-messages.ts";

/** The watch it is for; null: all of them. */
export type LaneKey = string | null;

export interface LaneSource {
  readonly watches: readonly WatchRecord[];
  readonly standing: Standing;
}

export interface LaneBatch {
  readonly key: LaneKey;
  readonly batch: Batch;
  /** False once its lane was closed: another one may have begun before it, and finds the same again. */
  readonly isCurrent: () => boolean;
  /** To be called when it is stored. */
  readonly stored: () => void;
}

/** gone: the run is removed, with whatever nobody has looked at. */
export type LaneEnd = "complete" | "gone";

export interface OutputLanesOptions {
  readonly link: WorkerLink;
  readonly directory: string;
  readonly recover: () => Promise<"kept" | "ended">;
  readonly keep: () => Keep;
  /** As stored: where they begin. */
  readonly source: () => LaneSource;
  /** Stores what was found. */
  readonly onBatch: (batch: LaneBatch) => void;
  /** None of them reads any more: to be opened again. */
  readonly onFailed: (error: Error) => void;
}

interface Lane {
  readonly handle: ScanHandle;
  readonly done: PromiseWithResolvers<LaneEnd>;
}

export class OutputLanes {
  readonly #options: OutputLanesOptions;
  readonly #lanes = new Map<LaneKey, Lane>();

  constructor(options: OutputLanesOptions) {
    this.#options = options;
  }

  openUnlessOpen(): void {
    if (this.#lanes.size === 0) this.open();
  }

  /** All anew, from where the store says they are. */
  open(): void {
    this.close();
    const { watches, standing } = this.#options.source();
    const active = watches.filter(({ state }) => state === "active");
    const lines = active.flatMap(toLineWatch);
    const rates = active.flatMap(toRateWatch);
    if (lines.length + rates.length > 0) {
      this.#open(null, { lines, rates, state: standing.scan ?? scanFrom(0), until: null });
    }
    for (const { watch, until, scan } of standing.catchUps) {
      const late = lines.filter(({ id }) => id === watch).map((line) => ({ ...line, from: 0 }));
      if (late.length > 0) this.#open(watch, { lines: late, rates: [], state: scan, until });
    }
  }

  close(): void {
    for (const { handle } of this.#lanes.values()) handle.stop();
    this.#lanes.clear();
  }

  /** The process has ended. Resolves when everything it wrote has been looked at and stored; rejects if they fail. */
  async finish(): Promise<LaneEnd> {
    for (const { handle } of this.#lanes.values()) handle.finish();
    const ends = await Promise.all([...this.#lanes.values()].map(({ done }) => done.promise));
    return ends.includes("gone") ? "gone" : "complete";
  }

  #open(key: LaneKey, scan: Pick<ScanRequest, "lines" | "rates" | "state" | "until">): void {
    const { link, directory, keep, recover, onBatch } = this.#options;
    const done = Promise.withResolvers<LaneEnd>();
    done.promise.catch(() => undefined); // heard by whoever waits for the end, if anybody does
    const handle = link.scan(
      { directory, keep: keep(), ...scan },
      {
        recover,
        onBatch: (batch) =>
          onBatch({
            key,
            batch,
            isCurrent: () => this.#lanes.get(key)?.handle === handle,
            stored: () => {
              handle.stored(keep());
              if (batch.isLast) this.#end(key, handle, "complete");
            },
          }),
        onFailed: (error) => this.#failed(key, handle, error),
      },
    );
    this.#lanes.set(key, { handle, done });
  }

  #end(key: LaneKey, handle: ScanHandle, how: LaneEnd): void {
    const lane = this.#lanes.get(key);
    if (lane?.handle !== handle) return;
    handle.stop();
    lane.done.resolve(how);
    this.#lanes.delete(key);
  }

  #failed(key: LaneKey, handle: ScanHandle, error: Error): void {
    if (this.#lanes.get(key)?.handle !== handle) return;
    // Removed: there is nothing to look at any more.
    if (isHoldfastError(error, "RUN_NOT_FOUND")) return this.#end(key, handle, "gone");
    const lanes = [...this.#lanes.values()];
    this.close();
    for (const { done } of lanes) done.reject(error);
    this.#options.onFailed(error);
  }
}

export function toLineWatch({ id, spec, fromOffset }: WatchRecord): LineWatch[] {
  const { kind } = spec;
  if (kind !== "text" && kind !== "regex") return [];
  const pattern = kind === "text" ? { text: spec.text } : { regex: spec.regex };
  return [{ id, pattern, stream: spec.stream, from: fromOffset }];
}

function toRateWatch({ id, spec }: WatchRecord): RateWatch[] {
  return spec.kind === "rate" ? [{ id, unit: spec.unit, most: spec.most, perMs: spec.perMs }] : [];
}
