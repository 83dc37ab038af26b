// The operations inside the daemon: validates, finds the verb, and lets nothing but coded errors out.
import { liveOutput } from "../processes/index.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { Event } from "../protocol/events.ts";
import {
  operations,
  type Caller,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from "../protocol/operations.ts";
import type { z } from "zod";
import type { Handler, OperationContext } from "./context.ts";
import { EventFeed } from "./event-feed.ts";
import { handlers } from "./handlers.ts";
import type { EventsOptions, LiveOutput, LiveOutputOptions, Runtime } from "./runtime.ts";

/** One line per field: which, and what is wrong with it. */
function invalidArgument(name: string, error: z.ZodError): HoldfastError {
  const problems = error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const text = problems
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
  return new HoldfastError("INVALID_ARGUMENT", `${name}: ${text}`, { details: { problems } });
}

class DaemonRuntime implements Runtime {
  readonly #context: OperationContext;
  readonly #feed: EventFeed;

  constructor(context: OperationContext) {
    this.#context = context;
    this.#feed = new EventFeed(context.processes);
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    caller: Caller,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<OperationOutput<Name>> {
    const parsed = operations[name].input.safeParse(input);
    if (!parsed.success) throw invalidArgument(name, parsed.error);
    const { processes } = this.#context;
    try {
      // The table gives every name the handler of its own input and output; the union is lost in the lookup.
      const handler = handlers[name] as unknown as Handler<OperationName>;
      return (await handler(this.#context, {
        input: parsed.data,
        caller,
        // Made when asked for: most verbs never do, and it costs more than some of them.
        get signal() {
          return AbortSignal.any([signal, processes.signal]);
        },
      })) as OperationOutput<Name>;
    } catch (error) {
      if (isHoldfastError(error)) throw error;
      processes.report(`${name} (${caller.requestId}) failed in a way nobody foresaw.`, error);
      throw new HoldfastError(
        "INTERNAL",
        `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }

  async newestCursor(): Promise<number> {
    return await this.#context.processes.store.events.last();
  }

  events(options: EventsOptions): AsyncIterable<Event> {
    return this.#feed.read(options);
  }

  liveOutput(options: LiveOutputOptions): AsyncIterable<LiveOutput> {
    return liveOutput(this.#context.processes, options.id, {
      from: options.from ?? "end",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }
}

export function createRuntime(context: OperationContext): Runtime {
  return new DaemonRuntime(context);
}
