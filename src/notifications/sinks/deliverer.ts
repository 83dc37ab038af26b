// Pushes what is owed to one sink: woken by new notices and by the time the next attempt is due, never by a loop that asks.
import { setTimeout as delay } from "node:timers/promises";
import type { Delivery } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { describeNotice } from "../describe-notice.ts";
import type { DeliveryOutcome, Sink } from "./sink.ts";

const mostAtOnce = 100;
const longestPauseMs = 3_600_000;
const leastPauseMs = 10;
// A store that cannot be written (a full disk) is tried again after this.
const storeRetryMs = 5_000;

export interface DelivererOptions {
  readonly context: NotificationContext;
  readonly sink: Sink;
  readonly now?: () => number;
  /** 0 to 1: spreads retries, so that many receivers that came back are not met by everything at once. */
  readonly random?: () => number;
}

export class Deliverer {
  readonly #context: NotificationContext;
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #closing = new AbortController();
  /** Groups that are being delivered now. */
  readonly #busy = new Map<string, Promise<void>>();
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;

  constructor({ context, sink, now = Date.now, random = Math.random }: DelivererOptions) {
    this.#context = context;
    this.#sink = sink;
    this.#now = now;
    this.#random = random;
  }

  start(): void {
    this.#stopListening = this.#context.outbox.listen(() => this.nudge());
    this.#running = this.#run();
  }

  /** Something may have become due: look now. */
  nudge(): void {
    this.#wake.resolve();
  }

  /** Deliveries under way; for a daemon that wants to know whether it is idle. */
  get busyCount(): number {
    return this.#busy.size;
  }

  /** What is under way is cut off; it is owed still. */
  async close(): Promise<void> {
    this.#stopListening?.();
    this.#closing.abort();
    this.nudge();
    await this.#running;
    await Promise.all(this.#busy.values());
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      const pauseMs = await this.#turn().catch((error: unknown) => {
        if (!signal.aborted)
          this.#context.processes.report(`Sink ${this.#sink.name} cannot go on yet.`, error);
        return storeRetryMs;
      });
      const pause = new AbortController();
      const timer = delay(pauseMs, undefined, { signal: pause.signal, ref: false }).catch(() => undefined); // woken before
      await Promise.race([this.#wake.promise, timer]);
      pause.abort();
    }
  }

  /** Hands over what is due; returns how long nothing will be. */
  async #turn(): Promise<number> {
    const { deliveries } = this.#context.processes.store;
    const { name, query } = this.#sink;
    if (this.#context.processes.store.access === "read-only") return storeRetryMs;
    const { state } = await deliveries.openSink(name, this.#now());
    if (state === "disabled") return longestPauseMs;
    while (await deliveries.take(name, query, this.#now()));
    const due = await this.#due({ limit: mostAtOnce });
    for (const [group, members] of this.#groups(due)) {
      if (this.#busy.size >= this.#sink.parallel) break; // the end of one wakes us
      this.#begin(group, members);
    }
    const next = await deliveries.nextDue(name);
    // What is under way is still "due": its own end wakes us.
    if (next === undefined || (this.#busy.size > 0 && next <= this.#now())) return longestPauseMs;
    return Math.min(longestPauseMs, Math.max(leastPauseMs, next - this.#now()));
  }

  async #due(which: { readonly limit: number; readonly session?: string }): Promise<Delivery[]> {
    const { store } = this.#context.processes;
    const isBySession = this.#sink.by === "session";
    const busy = [...this.#busy.keys()];
    const due = await store.deliveries.due(this.#sink.name, this.#now(), {
      ...which,
      exceptSessions: isBySession && which.session === undefined ? busy : [],
      exceptNotices: isBySession ? [] : busy,
    });
    return due.filter(({ notice }) => !this.#context.outbox.isHeld(notice)); // its release wakes us
  }

  #groups(due: readonly Delivery[]): Map<string, Delivery[]> {
    const groups = new Map<string, Delivery[]>();
    for (const delivery of due) {
      const { id, route } = delivery.notice;
      const group = this.#sink.by === "session" ? (route.session ?? "") : id;
      groups.set(group, [...(groups.get(group) ?? []), delivery]);
    }
    return groups;
  }

  #begin(group: string, members: readonly Delivery[]): void {
    const work = this.#deliver(group, members)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted)
          this.#context.processes.report(`A delivery to ${this.#sink.name} failed.`, error);
      })
      .finally(() => {
        this.#busy.delete(group);
        this.nudge();
      });
    this.#busy.set(group, work);
  }

  async #deliver(group: string, members: readonly Delivery[]): Promise<void> {
    const { signal } = this.#closing;
    const together = this.#sink.gatherMs > 0 ? await this.#gather(group) : members;
    const notices = await Promise.all(together.map(({ notice }) => describeNotice(this.#context, notice)));
    if (notices.length === 0) return;
    const [first] = together;
    const turn = `${first?.attempts ?? 0}-${first?.changedAt ?? 0}`;
    const answer = await this.#sink.deliver(notices, signal, turn);
    if (signal.aborted) return; // cut off by us: it is owed still, and nobody's fault
    const settled = "kind" in answer ? { outcome: answer, notices: notices.map(({ id }) => id) } : answer;
    for (const delivery of together)
      if (settled.notices.includes(delivery.notice.id)) await this.#settle(delivery, settled.outcome);
  }

  /** All that is due for a session once others have had a moment to end as well. */
  async #gather(session: string): Promise<Delivery[]> {
    const { deliveries } = this.#context.processes.store;
    const { name, query, gatherMs } = this.#sink;
    await delay(gatherMs, undefined, { signal: this.#closing.signal, ref: false });
    while (await deliveries.take(name, query, this.#now()));
    return await this.#due({ limit: mostAtOnce, session });
  }

  async #settle(delivery: Delivery, outcome: DeliveryOutcome): Promise<void> {
    const { processes, outbox } = this.#context;
    const nowMs = this.#now();
    const { id } = delivery.notice;
    const attempts = delivery.attempts + (outcome.kind === "defer" ? 0 : 1);
    const change = this.#changeFor(outcome, attempts, nowMs);
    await processes.store.deliveries.change(id, this.#sink.name, { ...change, attempts }, nowMs);
    if (outcome.kind === "delivered" && this.#sink.acknowledges) await outbox.acknowledge([id], undefined);
    if (change.state === "dead") this.#context.deadLetters.add(delivery.notice.route.session);
    if (outcome.kind === "disable") {
      await processes.store.deliveries.setSinkState(this.#sink.name, "disabled", outcome.error, nowMs);
      processes.report(`Sink ${this.#sink.name} is turned off: ${outcome.error}`);
    }
  }

  #changeFor(outcome: DeliveryOutcome, attempts: number, nowMs: number) {
    switch (outcome.kind) {
      case "delivered":
        return { state: "delivered", nextAt: nowMs, lastError: null } as const;
      case "defer":
        return { state: "pending", nextAt: nowMs + outcome.afterMs, lastError: null } as const;
      case "needs_person":
        return { state: "needs_person", nextAt: nowMs, lastError: outcome.error } as const;
      case "retry": {
        const pauseMs = this.#sink.scheduleMs[attempts - 1];
        if (pauseMs !== undefined) {
          const spreadMs = Math.round(pauseMs * (1 + 0.2 * this.#random()));
          const nextAt = nowMs + Math.max(spreadMs, outcome.afterMs ?? 0);
          return { state: "pending", nextAt, lastError: outcome.error } as const;
        }
        return { state: "dead", nextAt: nowMs, lastError: outcome.error } as const;
      }
      default:
        return { state: "dead", nextAt: nowMs, lastError: outcome.error } as const;
    }
  }
}
