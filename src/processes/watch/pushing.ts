// The one place where it is decided whether matches are pushed now: the policy of the process and the breaker of all.
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../config/index.ts";
import type { NewNotice, ProcessRecord } from "../../store/index.ts";
import { Breaker, breakerStateSchema } from "./breaker.ts";
import {
  decideLastPush,
  decidePush,
  type Held,
  type PushDecision,
  type PushMoment,
  type PushState,
} from "./push-policy.ts";
import { disabledNotice, matchedNotice, releasedNotice, trippedNotice } from "./watch-notices.ts";
import type { WatchHost } from "./watch-host.ts";

export interface Pushed {
  readonly state: PushState;
  readonly notices: readonly NewNotice[];
  readonly isTurnedOff: boolean;
  /** To be stored with it, if it has changed. */
  readonly breaker?: string;
}

const retryMs = 1_000;

export class Pushing {
  readonly #host: WatchHost;
  readonly #breaker: Breaker;
  #timer: NodeJS.Timeout | undefined;

  private constructor(host: WatchHost, breaker: Breaker) {
    this.#host = host;
    this.#breaker = breaker;
  }

  static async open(host: WatchHost): Promise<Pushing> {
    const stored = await host.store.watches.breaker();
    const state = breakerStateSchema.parse(stored === undefined ? {} : JSON.parse(stored));
    const pushing = new Pushing(host, new Breaker(state));
    pushing.#arm();
    return pushing;
  }

  decide(before: PushState, matches: Held, record: ProcessRecord): Pushed {
    return this.#judge(record, (moment) => decidePush(before, matches, moment));
  }

  /** What is left when the process ends. */
  decideLast(before: PushState, record: ProcessRecord): Pushed {
    return this.#judge(record, (moment) => decideLastPush(before, moment));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  get #limits(): Config["watch"] {
    return this.#host.config().watch;
  }

  #judge(record: ProcessRecord, decide: (moment: PushMoment) => PushDecision): Pushed {
    const nowMs = Date.now();
    const limits = this.#limits;
    const before = this.#breaker.state;
    const mayPush = (): boolean => this.#breaker.mayPush(nowMs, limits.breaker);
    const { state, push, isTurnedOff, blocked } = decide({
      nowMs,
      limits,
      redactor: this.#host.redactor,
      mayPush,
    });
    const notices = [
      ...(push === undefined ? [] : [matchedNotice(record, push, nowMs)]),
      ...(isTurnedOff ? [disabledNotice(record, state.strikes, nowMs)] : []),
      ...(blocked > 0 ? this.#hold(record, blocked, nowMs) : []),
    ];
    if (this.#breaker.state === before) return { state, notices, isTurnedOff };
    this.#arm();
    return { state, notices, isTurnedOff, breaker: JSON.stringify(this.#breaker.state) };
  }

  /** Its session hears that pushing pauses, once. */
  #hold({ session, task, profile, origin }: ProcessRecord, blocked: number, nowMs: number): NewNotice[] {
    const route = { session, task, profile, origin };
    const isFirst = this.#breaker.hold(route, blocked);
    const { pausedAt, pausedUntil } = this.#breaker.state;
    if (!isFirst || pausedAt === null || pausedUntil === null) return [];
    return [trippedNotice({ route, count: blocked }, { at: pausedAt, until: pausedUntil }, nowMs)];
  }

  #arm(afterMs?: number): void {
    const { pausedUntil } = this.#breaker.state;
    clearTimeout(this.#timer);
    if (pausedUntil === null) return;
    this.#timer = setTimeout(() => void this.#release(), afterMs ?? Math.max(0, pausedUntil - Date.now()));
    this.#timer.unref();
  }

  async #release(): Promise<void> {
    const nowMs = Date.now();
    const released = this.#breaker.release(nowMs);
    if (released === undefined) return this.#arm(retryMs); // a timer may be a little early
    const notices = released.held.map((held) => releasedNotice(held, released.pausedAt, nowMs));
    const { store, report, signal } = this.#host;
    for (;;) {
      try {
        const breaker = JSON.stringify(this.#breaker.state);
        await store.advanceWatches({ at: nowMs, processId: null, breaker, notices });
        return;
      } catch (error) {
        report("The end of a pause of pushing cannot be stored yet.", error);
        await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined); // the daemon goes
        if (signal.aborted) return;
      }
    }
  }
}
