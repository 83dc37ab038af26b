// Pushes what is owed to one sink: woken by new notices and by the time the next attempt is due, never by a loop that asks.
import { setTimeout as delay } from "node:timers/promises";
import type { Delivery, DeliverySelection } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { describeNotices } from "../describe-notice.ts";
import { changeFor, outcomeOfError } from "./delivery-change.ts";
import type { DeliveryOutcome, Sink } from "./sink.ts";

const mostAtOnce = 100;
const longestPauseMs = 3_600_000;
const leastPauseMs = 10;
// What is held back is told in another way within moments, and its release wakes us.
const heldPauseMs = 1_000;
// A store that cannot be written (a full disk) is tried again after this.
const storeRetryMs = 5_000;

export interface DelivererOptions {
  readonly context: NotificationContext;
  readonly sink: Sink;
  /** Of the sink: when they change, what was given up with others is tried again. */
  readonly settings: string;
  readonly now?: () => number;
  /** 0 to 1: spreads retries, so that many receivers that came back are not met by everything at once. */
  readonly random?: () => number;
}

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #context: NotificationContext;
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  /** Groups that are being delivered now. */
  readonly #busy = new Map<string, Promise<void>>();
  /** Outcomes the store has not taken, by notice: nothing more is pushed before it has, or all would be pushed again and again. */
  readonly #unsaved = new Map<string, () => Promise<void>>();
  #isOpened = false;
  #isFailing = false;
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#sink = options.sink;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.#stopListening = this.#context.outbox.listen((isOwed) => {
      if (isOwed) this.nudge();
    });
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
      const pauseMs = await this.#turn().catch((error: unknown) => this.#failed(error));
      const pause = new AbortController();
      const timer = delay(pauseMs, undefined, { signal: pause.signal, ref: false }).catch(() => undefined); // woken before
      await Promise.race([this.#wake.promise, timer]);
      pause.abort();
    }
  }

  /** Told once, until it goes on. */
  #failed(error: unknown): number {
    if (!this.#isFailing && !this.#closing.signal.aborted)
      this.#context.processes.report(`Sink ${this.#sink.name} cannot go on yet.`, error);
    this.#isFailing = true;
    return storeRetryMs;
  }

  /** Hands over what is due; returns how long nothing will be. */
  async #turn(): Promise<number> {
    const { store } = this.#context.processes;
    const { name, parallel } = this.#sink;
    if (store.access === "read-only") return storeRetryMs;
    await this.#saveOutcomes();
    if (!this.#isOpened) await store.sinks.open(name, this.#options.settings, this.#now());
    this.#isOpened = true;
    if (this.#busy.size >= parallel) return longestPauseMs; // the end of one wakes us
    if (!(await this.#take())) return longestPauseMs;
    const { free, heldCount } = await this.#due(this.#others());
    for (const [group, members] of this.#groups(free)) {
      if (this.#busy.size >= parallel) return longestPauseMs;
      this.#begin(group, members);
    }
    this.#isFailing = false;
    const next = await store.deliveries.nextDue(name, this.#others());
    if (next === undefined) return longestPauseMs;
    const leastMs = heldCount > 0 ? heldPauseMs : leastPauseMs;
    return Math.min(longestPauseMs, Math.max(leastMs, next - this.#now()));
  }

  /** Looks through what is new. False: the sink is turned off. */
  async #take(): Promise<boolean> {
    const { deliveries } = this.#context.processes.store;
    const { name, query } = this.#sink;
    for (;;) {
      const taken = await deliveries.take(name, query, this.#now());
      if (taken !== "more") return taken === "done";
    }
  }

  /** Everything that is not under way. */
  #others(): DeliverySelection {
    const busy = [...this.#busy.keys()];
    return this.#sink.by === "session"
      ? { exceptSessions: busy, exceptNotices: [] }
      : { exceptSessions: [], exceptNotices: busy };
  }

  async #due(which: DeliverySelection): Promise<{ free: Delivery[]; heldCount: number }> {
    const { processes, outbox } = this.#context;
    const limited = { ...which, limit: this.#mostUseful() };
    const due = await processes.store.deliveries.due(this.#sink.name, this.#now(), limited);
    const settled = due.filter(({ notice }) => !this.#unsaved.has(notice.id));
    const free = settled.filter(({ notice }) => !outbox.isHeld(notice));
    return { free, heldCount: settled.length - free.length };
  }

  /** More than can begin now would be asked for again. What is kept back may stand before what is not. */
  #mostUseful(): number {
    const { by, parallel } = this.#sink;
    const isExact = by === "notice" && this.#unsaved.size === 0 && !this.#context.outbox.isHolding;
    return isExact ? Math.max(1, parallel - this.#busy.size) : mostAtOnce;
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
      .catch((error: unknown) => void this.#failed(error))
      .finally(() => {
        this.#busy.delete(group);
        this.nudge();
      });
    this.#busy.set(group, work);
  }

  async #deliver(group: string, members: readonly Delivery[]): Promise<void> {
    const together = this.#sink.gatherMs > 0 ? await this.#gather(group) : members;
    if (together.length === 0) return;
    const settled = await this.#carry(together);
    // Cut off by us: it is owed still, and nobody's fault.
    if (this.#closing.signal.aborted && settled.outcome.kind !== "delivered") return;
    const nowMs = this.#now();
    for (const delivery of together) {
      const { id } = delivery.notice;
      if (!settled.notices.includes(id)) continue;
      this.#unsaved.set(id, () => this.#save(delivery, settled.outcome, nowMs));
    }
    await this.#saveOutcomes();
  }

  async #carry(together: readonly Delivery[]): Promise<{ outcome: DeliveryOutcome; notices: string[] }> {
    const all = together.map(({ notice }) => notice.id);
    const [first] = together;
    const turn = `${first?.attempts ?? 0}-${first?.changedAt ?? 0}`;
    try {
      const records = together.map(({ notice }) => notice);
      const notices = await describeNotices(this.#context, records);
      const answer = await this.#sink.deliver(notices, this.#closing.signal, turn);
      if ("kind" in answer) return { outcome: answer, notices: all };
      return { outcome: answer.outcome, notices: [...answer.notices] };
    } catch (error) {
      return { outcome: outcomeOfError(error), notices: all };
    }
  }

  /** All that is due for a session once others have had a moment to end as well. */
  async #gather(session: string): Promise<Delivery[]> {
    await delay(this.#sink.gatherMs, undefined, { signal: this.#closing.signal, ref: false });
    await this.#take();
    return (await this.#due({ session, exceptSessions: [], exceptNotices: [] })).free;
  }

  async #saveOutcomes(): Promise<void> {
    for (const [id, save] of this.#unsaved) {
      this.#unsaved.delete(id);
      try {
        await save();
      } catch (error) {
        this.#unsaved.set(id, save);
        throw error;
      }
    }
  }

  async #save(delivery: Delivery, outcome: DeliveryOutcome, nowMs: number): Promise<void> {
    const { processes, outbox, deadLetters } = this.#context;
    const { name, scheduleMs } = this.#sink;
    const { id, route } = delivery.notice;
    const random = this.#options.random ?? Math.random;
    const change = changeFor(outcome, delivery.attempts, { scheduleMs, nowMs, random });
    await processes.store.deliveries.change(id, name, change, nowMs);
    if (outcome.kind === "delivered" && this.#sink.acknowledges(route))
      await outbox.acknowledgeBySink(id, name);
    if (change.state === "dead") deadLetters.add(route.session);
    if (outcome.kind === "disable") {
      await processes.store.sinks.disable(name, outcome.error, nowMs);
      processes.report(`Sink ${name} is turned off: ${outcome.error}`);
    }
  }
}
