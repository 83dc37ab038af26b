// The outbox: what is owed is claimed with a lease, then acknowledged or given back. Whoever waits is woken; nobody asks in a loop.
import {
  endKinds,
  type NoticeListener,
  type NoticeQuery,
  type NoticeRecord,
  type Settlement,
  settledBySink,
  type Store,
} from "../store/index.ts";

export interface OutboxOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface ClaimOptions {
  readonly consumer: string;
  readonly limit: number;
  readonly leaseMs: number;
  /** For the first one; 0: answers at once. */
  readonly waitMs: number;
}

// A lease that another consumer holds may run out at any time; a later look finds it. Node fires longer timers at once.
const longestLookMs = 60_000;

export class Outbox {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #listeners = new Set<NoticeListener>();
  /** Processes whose end is just being told to its session by an answer. */
  readonly #held = new Map<string, number>();

  constructor({ store, now = Date.now }: OutboxOptions) {
    this.#store = store;
    this.#now = now;
    store.listenNotices((isOwed) => this.wake(isOwed));
  }

  /** Called when there is something new, and whether somebody may be owed it. Returns how to stop. */
  listen(listener: NoticeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may be due that was not before: a session became idle, a person came. */
  wake(isOwed = true): void {
    for (const listener of this.#listeners) listener(isOwed);
  }

  /** Resolves with what there is; with nothing when the wait is over or its caller is gone. */
  async claim(query: NoticeQuery, options: ClaimOptions, signal: AbortSignal): Promise<NoticeRecord[]> {
    const deadlineMs = this.#now() + options.waitMs;
    for (;;) {
      const changed = Promise.withResolvers<void>();
      const stop = this.listen((isOwed) => {
        if (isOwed) changed.resolve();
      });
      try {
        const claimed = await this.#claimNow(query, options);
        const leftMs = deadlineMs - this.#now();
        if (claimed.length > 0 || leftMs <= 0 || signal.aborted) return claimed;
        await this.#change(changed.promise, leftMs, signal);
      } finally {
        stop();
      }
    }
  }

  async acknowledge(ids: readonly string[], consumer: string | undefined): Promise<Map<string, Settlement>> {
    const nowMs = this.#now();
    return await settleEach(ids, (id) => this.#store.notices.acknowledge(id, consumer, nowMs));
  }

  /** Having been brought there has settled it. */
  async acknowledgeBySink(id: string, sink: string): Promise<void> {
    await this.#store.notices.acknowledge(id, undefined, this.#now(), settledBySink(sink));
  }

  async release(ids: readonly string[], consumer: string): Promise<Map<string, Settlement>> {
    const settled = await settleEach(ids, (id) => this.#store.notices.release(id, consumer));
    this.wake();
    return settled;
  }

  /** Owed again. False if there is no such notice. */
  async replay(id: string): Promise<boolean> {
    const found = await this.#store.notices.replay(id);
    if (found) this.wake();
    return found;
  }

  /**
   * The end of this process is about to reach its session by an answer: pushing it as well would tell it twice. Call the
   * result when the answer is out, or will never be.
   */
  hold(processId: string): () => void {
    this.#held.set(processId, (this.#held.get(processId) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(processId) ?? 1) - 1;
      if (left > 0) this.#held.set(processId, left);
      else this.#held.delete(processId);
      this.wake();
    };
  }

  /** Something is kept back at this moment. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  isHeld(notice: Pick<NoticeRecord, "kind" | "processId">): boolean {
    const isOfEnd = endKinds.some((kind) => kind === notice.kind);
    return isOfEnd && notice.processId !== null && this.#held.has(notice.processId);
  }

  /** The session heard the end by an answer of this verb. */
  async markEndSeen(processId: string, session: string, verb: string): Promise<void> {
    await this.#store.notices.markEndSeen(processId, session, verb, this.#now());
  }

  /** The session has looked at the process, and it had ended. */
  async markEndObserved(processId: string, session: string): Promise<void> {
    await this.#store.notices.markEndObserved(processId, session, this.#now());
  }

  async #claimNow(query: NoticeQuery, options: ClaimOptions): Promise<NoticeRecord[]> {
    const nowMs = this.#now();
    return await this.#store.notices.claim(query, {
      consumer: options.consumer,
      limit: options.limit,
      nowMs,
      leaseUntilMs: nowMs + options.leaseMs,
      exceptProcesses: [...this.#held.keys()],
    });
  }

  /** Resolves when something changed, a lease has run out, or there is no time left. */
  async #change(changed: Promise<void>, leftMs: number, signal: AbortSignal): Promise<void> {
    const nowMs = this.#now();
    const leaseEnd = (await this.#store.notices.nextLeaseEnd(nowMs)) ?? Number.MAX_SAFE_INTEGER;
    const pauseMs = Math.max(1, Math.min(leftMs, leaseEnd - nowMs, longestLookMs));
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, pauseMs);
    signal.addEventListener("abort", () => over.resolve(), { once: true });
    if (signal.aborted) over.resolve();
    await Promise.race([changed, over.promise]);
    clearTimeout(timer);
  }
}

async function settleEach(
  ids: readonly string[],
  settle: (id: string) => Promise<Settlement>,
): Promise<Map<string, Settlement>> {
  const settled = new Map<string, Settlement>();
  for (const id of ids) settled.set(id, await settle(id));
  return settled;
}
