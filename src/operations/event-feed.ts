// Events for one reader: first the stored ones after its cursor, then live ones, without a gap or a repeat in between.
import { OutputGrowth, viewProcess, type ProcessContext } from "../processes/index.ts";
import type { Event } from "../protocol/events.ts";
import type { Redactor } from "../redaction/index.ts";
import { redactView } from "./redact-view.ts";
import { Scope } from "./rights/scope.ts";
import type { EventsOptions } from "./runtime.ts";

const pageSize = 500;
// A reader this far behind is cut off and comes back by cursor: nothing is lost, and nobody's memory fills.
const mostWaiting = 10_000;

type Stored = Awaited<ReturnType<ProcessContext["store"]["events"]["after"]>>[number];

export class EventFeed {
  readonly #processes: ProcessContext;
  readonly #redactor: Redactor;
  readonly #growth: OutputGrowth;

  constructor(processes: ProcessContext, redactor: Redactor) {
    this.#processes = processes;
    this.#redactor = redactor;
    this.#growth = new OutputGrowth(processes);
  }

  async *read(options: EventsOptions): AsyncGenerator<Event, void, undefined> {
    const { registry, store, signal: closing } = this.#processes;
    const scope = Scope.of(this.#processes, options.caller);
    const signal = options.signal === undefined ? closing : AbortSignal.any([closing, options.signal]);
    const waiting: Event[] = [];
    let wake = Promise.withResolvers<void>();
    const push = (event: Event): void => {
      waiting.push(event);
      wake.resolve();
    };
    const stopListening = [registry.listen(push)];
    let cursor = options.after ?? (await store.events.last());
    if (options.output === true) {
      const at = (): string => new Date().toISOString();
      const grew = (processId: string, outputBytes: number): void =>
        push({ kind: "process.output-grew", cursor, at: at(), processId, outputBytes });
      stopListening.push(this.#growth.listen(grew));
    }
    const abort = (): void => wake.resolve();
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (options.after !== undefined) {
        for await (const event of this.#stored(options.after)) {
          if (scope === undefined || (await this.#isSeen(scope, event))) yield this.#redacted(event);
          cursor = event.cursor;
        }
      }
      while (!signal.aborted && waiting.length < mostWaiting) {
        for (const event of waiting.splice(0)) {
          const isStored = event.kind !== "process.output-grew";
          if (isStored && event.cursor <= cursor) continue; // told from the store already
          if (scope === undefined || (await this.#isSeen(scope, event)))
            yield isStored ? this.#redacted(event) : { ...event, cursor };
          if (isStored) ({ cursor } = event);
        }
        if (waiting.length > 0) continue;
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    } finally {
      for (const stop of stopListening) stop();
      signal.removeEventListener("abort", abort);
    }
  }

  async #isSeen(scope: Scope, event: Event): Promise<boolean> {
    if (event.kind === "events.trimmed") return true;
    const session = await this.#sessionOf(event);
    // Undefined: it has gone since, which is told by an event of its own.
    return session !== undefined && (await scope.sees({ id: event.processId, session }));
  }

  async #sessionOf(event: Exclude<Event, { kind: "events.trimmed" }>): Promise<string | null | undefined> {
    if ("process" in event) return event.process.owner.session ?? null;
    if (event.kind === "process.removed") return event.session;
    return (await this.#processes.registry.get(event.processId))?.session;
  }

  #redacted(event: Event): Event {
    return "process" in event ? { ...event, process: redactView(event.process, this.#redactor) } : event;
  }

  async *#stored(after: number): AsyncGenerator<Event, void, undefined> {
    const { events } = this.#processes.store;
    const [oldest, last] = [await events.oldest(), await events.last()];
    const at = new Date().toISOString();
    if (after > 0 && oldest > after + 1) yield { kind: "events.trimmed", cursor: oldest - 1, at };
    if (after > last) {
      // Of a store that is gone, and the clock was set back since: this one's cursors have yet to come so far.
      yield { kind: "events.trimmed", cursor: last, at };
      return;
    }
    for (let cursor = after; ;) {
      const page = await events.after(cursor, pageSize);
      for (const stored of page) {
        const event = await this.#toEvent(stored);
        if (event !== undefined) yield event;
        cursor = stored.cursor;
      }
      if (page.length < pageSize) return;
    }
  }

  /** With the process as it is now: an old event tells that something changed, not how it looked then. */
  async #toEvent(stored: Stored): Promise<Event | undefined> {
    const { cursor, kind, processId } = stored;
    const at = new Date(stored.at).toISOString();
    if (kind === "events.trimmed") return { kind, cursor, at };
    if (processId === null) return undefined;
    if (kind === "process.removed") {
      const { session } = stored.data;
      return { kind, cursor, at, processId, session: typeof session === "string" ? session : null };
    }
    const record = await this.#processes.registry.get(processId);
    return record === undefined ? undefined : { kind, cursor, at, processId, process: viewProcess(record) };
  }
}
