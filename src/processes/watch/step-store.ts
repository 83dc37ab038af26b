// Stores the steps of one process, one after the other, each until the store takes it: on a full disk nothing is lost, and
// nothing is decided twice.
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessRecord } from "../../store/index.ts";
import type { WatchHost } from "./watch-host.ts";
import type { Step } from "./watch-step.ts";

// A full disk is cleared by hand, or by retention within a minute: asking every second costs nothing.
const retryMs = 1_000;

interface Unstored {
  readonly step: Step;
  readonly stored: (step: Step) => void;
}

export class StepStore {
  readonly #host: WatchHost;
  readonly #record: ProcessRecord;
  #turns: Promise<unknown> = Promise.resolve();
  #unstored: Unstored | undefined;
  /** False: what cannot be stored is an error at once; it is tried again with whatever comes next. */
  isPatient = true;
  #isClosed = false;

  constructor(host: WatchHost, record: ProcessRecord) {
    this.#host = host;
    this.#record = record;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** After everything before it is stored. @throws HoldfastError STORE_… when it is not, and what the work throws */
  async inTurn<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const turn = this.#turns.then(async () => {
      await this.#storeRest();
      return await work();
    });
    this.#turns = turn.catch(() => undefined); // whoever asked gets the error; the next one goes on
    return await turn;
  }

  /**
   * Resolves when it is stored. `make` is called in its turn; nothing is stored where it has become pointless.
   * @throws HoldfastError STORE_… unless it is patient
   */
  async put(make: () => Step | undefined, stored: (step: Step) => void): Promise<void> {
    await this.inTurn(async () => {
      const step = make();
      if (step === undefined) return;
      this.#unstored = { step, stored };
      await this.#storeRest();
    });
  }

  async #storeRest(): Promise<void> {
    const { report, signal, registry } = this.#host;
    const { id } = this.#record;
    for (let isFirst = true; this.#unstored !== undefined && !this.#isClosed; isFirst = false) {
      const { step, stored } = this.#unstored;
      try {
        await this.#commit(step);
        this.#unstored = undefined;
        stored(step);
      } catch (error) {
        if ((await registry.get(id)) === undefined) this.#isClosed = true; // removed meanwhile
        if (!this.isPatient || this.#isClosed || signal.aborted) throw error;
        if (isFirst)
          report(`What the watches of ${id} found cannot be stored yet.`, error, { processId: id });
        await delay(retryMs, undefined, { signal, ref: false });
      }
    }
  }

  async #commit({ advance, isTurnedOff }: Step): Promise<void> {
    const { registry, store } = this.#host;
    // Too many matches: then the end is told instead of them.
    if (isTurnedOff) await registry.change(this.#record.id, { notify: "end" }, advance);
    else await store.advanceWatches(advance);
  }
}
