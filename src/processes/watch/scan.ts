// Reads the output of one process for its watches, live from its keeper, and in the end from its files.
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { KeptProcess, readStoredOutput, type OutputEvent, type RunTarget } from "../../keeper/index.ts";
import { outputEnd } from "../output/find-lines.ts";
import { firstKeptBy } from "../output/first-kept.ts";
import { BatchSender } from "./batch-sender.ts";
import type { Keep } from "./hit-recorder.ts";
import { OutputScan } from "./output-scan.ts";
import type { Batch, ScanRequest } from "./worker-messages.ts";

// A line without its end is a prompt once nothing has come for this long.
const promptPauseMs = 150;
// Patterns so slow rest as long as they worked: the watches of other processes have their turn.
const slowMs = 50;
const longestRestMs = 5_000;
const turnMs = 10;
// As much as is looked at between two turns; the keeper holds the rest.
const creditBytes = 262_144;

export interface ScanHost {
  readonly target: RunTarget;
  readonly send: (batch: Batch) => void;
}

export class Scan {
  readonly #directory: string;
  readonly #target: RunTarget;
  readonly #output: OutputScan;
  readonly #batches: BatchSender;
  readonly #stopping = new AbortController();
  /** Ends the following of a live process; what is left is read from the files. */
  readonly #finishing = new AbortController();
  #lastDataMs = 0;
  #lastTurnMs = performance.now();
  #promptTimer: NodeJS.Timeout | undefined;

  constructor(request: ScanRequest, { target, send }: ScanHost) {
    this.#directory = request.directory;
    this.#target = target;
    this.#batches = new BatchSender({ keep: request.keep, state: () => this.#output.state, send });
    this.#output = new OutputScan(request, {
      onMatch: (found) => this.#batches.hit(found),
      onGap: (gap) => this.#batches.gap(gap),
    });
  }

  /** Resolves when there is nothing more to look at. @throws HoldfastError KEEPER_UNREACHABLE, RUN_NOT_FOUND, … */
  async run(): Promise<void> {
    const kept = new KeptProcess(this.#target);
    const signal = AbortSignal.any([this.#stopping.signal, this.#finishing.signal]);
    try {
      await this.#read(signal, (from) =>
        kept.output({ from, follow: true, marks: true, creditBytes, signal }),
      );
      // Nothing more can come; the end of the process is told by others.
      if (!this.#output.isPast) await aborted(signal);
      if (this.#stopping.signal.aborted) return;
      // A machine that lost power may have lost what was looked at already: then there is nothing behind it.
      if (!this.#output.isPast && this.#output.position < (await outputEnd(this.#directory))) {
        await this.#read(this.#stopping.signal, (from) =>
          readStoredOutput(this.#directory, { from, marks: true }),
        );
      }
      this.#output.end();
      this.#batches.last();
    } finally {
      kept.close();
      clearTimeout(this.#promptTimer);
    }
  }

  finish(): void {
    this.#finishing.abort();
  }

  stop(): void {
    this.#stopping.abort();
    this.#batches.close();
  }

  stored(keep: Keep): void {
    this.#batches.stored(keep);
  }

  /** To its end, or until it is told to leave off: then whatever fails concerns nobody. */
  async #read(leaveOff: AbortSignal, open: (from: number) => AsyncIterable<OutputEvent>): Promise<void> {
    for (;;) {
      try {
        for await (const event of open(this.#output.position)) {
          if (leaveOff.aborted) return;
          const tookMs = this.#take(event);
          if (this.#output.isPast) return;
          await this.#giveWay(tookMs);
        }
        return;
      } catch (error) {
        if (leaveOff.aborted) return;
        this.#jump(error);
      }
    }
  }

  /** What it wanted to read is no longer kept: goes on with what is. */
  #jump(error: unknown): void {
    const to = firstKeptBy(error);
    if (to === undefined || to <= this.#output.position) throw error;
    this.#output.miss({ from: this.#output.position, to });
  }

  /** How long it took. */
  #take(event: OutputEvent): number {
    if (event.kind !== "data") {
      this.#output.take(event);
      return 0;
    }
    const startMs = performance.now();
    this.#output.take(event);
    this.#lastDataMs = performance.now();
    this.#promptTimer ??= setTimeout(() => this.#pause(), promptPauseMs);
    this.#batches.moved();
    return this.#lastDataMs - startMs;
  }

  #pause(): void {
    const leftMs = this.#lastDataMs + promptPauseMs - performance.now();
    this.#promptTimer = leftMs > 0 ? setTimeout(() => this.#pause(), Math.ceil(leftMs)) : undefined;
    if (this.#promptTimer === undefined) this.#output.look();
  }

  async #giveWay(tookMs: number): Promise<void> {
    if (tookMs > slowMs) await delay(Math.min(tookMs, longestRestMs), undefined, { ref: false });
    else if (performance.now() - this.#lastTurnMs > turnMs) await nextTurn();
    else return;
    this.#lastTurnMs = performance.now();
    await this.#batches.room();
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
