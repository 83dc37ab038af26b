// The operations inside the daemon: validates, finds the verb, and lets nothing but coded errors out.
import { followOutput, liveOutput, liveOutputEnd } from "../processes/index.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { Event } from "../protocol/events.ts";
import {
  operations,
  type Caller,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  type OperationRequest,
} from "../protocol/operations.ts";
import type { z } from "zod";
import { noticeFeed } from "../notifications/index.ts";
import { asViewed, recordAct, requireRole } from "./authorise.ts";
import type { Answered, Handler, OperationContext } from "./context.ts";
import { EventFeed } from "./event-feed.ts";
import { handlers } from "./handlers.ts";
import type { NoticeWithText } from "../protocol/notices.ts";
import type { UsageUpdate } from "../protocol/usage.ts";
import { NoticeChanges } from "./notice-changes.ts";
import { noticeQuery } from "./notice-query.ts";
import { openView } from "./open-view.ts";
import type {
  EventsOptions,
  LiveOutput,
  LiveOutputConsumer,
  LiveOutputOptions,
  NoticesOptions,
  OpenView,
  Runtime,
  UsageOptions,
  ViewOpening,
} from "./runtime.ts";
import { UsageFeed } from "./usage-feed.ts";
import { noticed, withinScope } from "./rights/rules.ts";
import { Scope } from "./rights/scope.ts";
import { redactLiveOutput } from "./redact-live-output.ts";

/** One line per field: which, and what is wrong with it. */
function invalidArgument(name: string, error: z.ZodError): HoldfastError {
  const problems = error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const text = problems
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
  return new HoldfastError("INVALID_ARGUMENT", `${name}: ${text}`, { details: { problems } });
}

function unforeseen(name: string, thrown: unknown): HoldfastError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new HoldfastError("INTERNAL", `${name} failed: ${reason}`, { cause: thrown });
}

/** Verbs that try deliveries again themselves, and tell how many. */
const triesAgain: ReadonlySet<OperationName> = new Set(["notifications.replay", "session.attend"]);

class DaemonRuntime implements Runtime {
  readonly #context: OperationContext;
  readonly #feed: EventFeed;
  readonly #usage: UsageFeed;

  constructor(context: OperationContext) {
    this.#context = context;
    this.#feed = new EventFeed(context.processes, context.redactor);
    this.#usage = new UsageFeed(context.processes, context.redactor);
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    asked: Caller,
    signal: AbortSignal = new AbortController().signal,
    answered: Answered = () => Promise.resolve(true),
  ): Promise<OperationOutput<Name>> {
    const { processes, requests } = this.#context;
    const caller = asViewed(asked);
    const facts = { name, caller, input, beganAtMs: performance.now() };
    const leave = processes.activity.begin(caller.session);
    try {
      requireRole(this.#context, name, caller);
      const parsed = operations[name].input.safeParse(input);
      if (!parsed.success) throw invalidArgument(name, parsed.error);
      const scope = Scope.of(processes, caller);
      const allowed =
        scope === undefined
          ? parsed.data
          : await withinScope(this.#context, scope, name, parsed.data as OperationRequest<Name>); // just parsed by its schema
      await recordAct(this.#context, { name, input: parsed.data, caller });
      if (!operations[name].reads && !triesAgain.has(name)) this.#showLife(caller);
      // The table gives every name the handler of its own input and output; the union is lost in the lookup.
      const handler = handlers[name] as unknown as Handler<OperationName>;
      const output = (await handler(this.#context, {
        input: allowed,
        caller,
        answered,
        // Made when asked for: most verbs never do, and it costs more than some of them.
        get signal() {
          return AbortSignal.any([signal, processes.signal]);
        },
      })) as OperationOutput<Name>;
      requests.answered(facts, output);
      return output;
    } catch (thrown) {
      const error = isHoldfastError(thrown) ? thrown : unforeseen(name, thrown);
      requests.failed(facts, error);
      throw error;
    } finally {
      leave();
    }
  }

  /** A session that acts is there again: what could not be delivered to it is tried once more. */
  #showLife({ session }: Caller): void {
    const { notifications, processes } = this.#context;
    const { deadLetters, outbox } = notifications;
    if (session === undefined || !deadLetters.has(session)) return;
    deadLetters
      .revive(session)
      .then(() => outbox.wake())
      .catch((error: unknown) =>
        processes.report(`What is owed to ${session} could not be tried again.`, error),
      );
  }

  async newestCursor(): Promise<number> {
    return await this.#context.processes.store.events.last();
  }

  events(options: EventsOptions): AsyncIterable<Event> {
    const { session } = options.caller;
    return session === undefined ? this.#feed.read(options) : this.#eventsFor(session, options);
  }

  async *notices(options: NoticesOptions): AsyncGenerator<NoticeWithText, void, undefined> {
    const { notifications, processes } = this.#context;
    const scope = Scope.of(processes, options.caller);
    const filter = scope === undefined ? options : await noticed(scope, options);
    const query = await noticeQuery(processes, filter);
    // Whoever follows what a session is owed is connected to it; who only looks on is not.
    const isViewer = options.caller.who?.role === "viewer";
    const leave = processes.activity.begin(isViewer ? undefined : filter.session);
    const changes =
      scope === undefined ? new NoticeChanges(processes.store.notices, options.onChange) : undefined;
    try {
      const feed = noticeFeed(notifications, {
        query: options.recorded === true ? query : { ...query, states: ["pending", "acknowledged"] },
        after: options.after ?? (await processes.store.notices.last()),
        signal:
          options.signal === undefined
            ? processes.signal
            : AbortSignal.any([options.signal, processes.signal]),
      });
      for await (const notice of feed) yield changes?.applied(notice) ?? notice;
    } finally {
      changes?.stop();
      leave();
    }
  }

  usage(options: UsageOptions): AsyncIterable<UsageUpdate> {
    return this.#usage.read(options);
  }

  async view(opening: ViewOpening, caller: Caller): Promise<OpenView> {
    const view = await openView(this.#context, opening, caller);
    const type: OpenView["type"] = (input) => {
      this.#showLife(caller);
      return view.type(input);
    };
    return { ...view, type };
  }

  liveOutput(options: LiveOutputOptions): AsyncIterable<LiveOutput> {
    const { processes, redactor } = this.#context;
    const scope = Scope.of(processes, options.caller);
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const read = (from: number | "end"): AsyncIterable<LiveOutput> =>
      scope === undefined
        ? liveOutput(processes, options.id, { from, ...signal })
        : this.#liveOutputFor(scope, options.id, { from, ...signal });
    if (scope === undefined || !redactor.isEnabled) return read(options.from ?? "end");
    const from = async (): Promise<number> =>
      options.from ?? (await liveOutputEnd(processes, await scope.process(options.id, "read")));
    return redactLiveOutput(redactor, { read, from });
  }

  async followOutput(options: LiveOutputOptions, consume: LiveOutputConsumer): Promise<void> {
    const { processes, redactor } = this.#context;
    const scope = Scope.of(processes, options.caller);
    if (scope !== undefined && redactor.isEnabled) {
      for await (const event of this.liveOutput(options)) await consume([event]);
      return;
    }
    const id = scope === undefined ? options.id : await scope.process(options.id, "read");
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    await followOutput(processes, id, { from: options.from ?? "end", ...signal }, consume);
  }

  /** Whoever follows what happens, for a session, is connected to it. */
  async *#eventsFor(session: string, options: EventsOptions): AsyncGenerator<Event, void, undefined> {
    const leave = this.#context.processes.activity.begin(session);
    try {
      yield* this.#feed.read(options);
    } finally {
      leave();
    }
  }

  async *#liveOutputFor(
    scope: Scope,
    reference: string,
    choice: Parameters<typeof liveOutput>[2],
  ): AsyncGenerator<LiveOutput, void, undefined> {
    yield* liveOutput(this.#context.processes, await scope.process(reference, "read"), choice);
  }
}

export function createRuntime(context: OperationContext): Runtime {
  return new DaemonRuntime(context);
}
