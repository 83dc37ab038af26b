// Collects what a scan finds and tells it in batches, one at a time: the next goes when the last one is stored.
import { HitRecorder, type Keep } from "./hit-recorder.ts";
import type { MatchedLine } from "./matched-line.ts";
import type { ScanState } from "./scan-state.ts";
import type { Batch, Gap } from "./worker-messages.ts";

// Lines of one burst are told together.
const burstMs = 100;
// How far it came is told even if nothing was found: less is read again after a kill.
const progressMs = 1_000;
// While nothing can be stored, reading stops here: the child goes on, the memory does not grow.
const mostUntold = 1_024;

export interface BatchSenderOptions {
  readonly keep: Keep;
  /** Taken at the very moment a batch is made. */
  readonly state: () => ScanState;
  readonly send: (batch: Batch) => void;
}

export class BatchSender {
  readonly #options: BatchSenderOptions;
  readonly #found: HitRecorder;
  #gaps: Gap[] = [];
  #isLast = false;
  #isBehind = false;
  #isUnderWay = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** What the timer was set to. */
  #timerMs = Infinity;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
    this.#found = new HitRecorder(options.keep);
  }

  hit(found: MatchedLine & { readonly offset: number }): void {
    this.#found.add(found);
    this.#within(burstMs);
  }

  gap(gap: Gap): void {
    this.#gaps.push(gap);
    this.#within(burstMs);
  }

  /** It has come further. */
  moved(): void {
    this.#within(progressMs);
  }

  /** There is nothing more to look at. */
  last(): void {
    this.#isLast = true;
    this.#within(0);
  }

  /** What was sent last is stored. */
  stored(keep: Keep): void {
    this.#found.keep = keep;
    this.#isUnderWay = false;
    this.#room?.resolve();
    if (!this.#isBehind) return;
    this.#within(this.#isLast ? 0 : this.#untold > 0 ? burstMs : progressMs);
  }

  /** Resolves when more may be found. */
  async room(): Promise<void> {
    while (this.#untold > mostUntold && !this.#isClosed) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#room?.resolve();
    clearTimeout(this.#timer);
  }

  get #untold(): number {
    return this.#found.size + this.#gaps.length;
  }

  /** Asked for every match: where it goes soon anyway, it costs nothing. */
  #within(ms: number): void {
    this.#isBehind = true;
    if (this.#isUnderWay || this.#isClosed || ms >= this.#timerMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(() => this.#send(), ms);
  }

  #send(): void {
    this.#timerMs = Infinity;
    this.#isUnderWay = true;
    this.#isBehind = false;
    const gaps = this.#gaps;
    this.#gaps = [];
    const { state, send } = this.#options;
    send({ state: state(), ...this.#found.take(), gaps, isLast: this.#isLast });
  }
}
