// What the log is told of requests. Each has an id, and whoever was answered with it finds it here: at `debug` every request, at any
// level those that failed for a reason of ours. Never the input: it holds commands, variables, typed text and names of secrets.
import { errorRegistry, type HoldfastError } from "../protocol/errors.ts";
import type { Caller, OperationName } from "../protocol/operations.ts";
import type { Log, LogFields } from "../util/log.ts";

export interface RequestFacts {
  readonly name: OperationName;
  readonly caller: Caller;
  /** On the monotonic clock. */
  readonly beganAtMs: number;
  readonly input: unknown;
}

// Their category says that the daemon could not, but nothing is wrong with it: it goes, or the caller has gone, or said how long to wait.
const expected: ReadonlySet<string> = new Set([
  "DAEMON_STOPPING",
  "DAEMON_GONE",
  "WAIT_TIMEOUT",
  "WAIT_INTERRUPTED",
  "CLIENT_TOO_SLOW",
]);

// The letters of ids (src/protocol/ids.ts): hardly a word, and no secret of a usual length.
const idShape = /^(?:p_)?[2-9b-df-hjkmnp-tv-xz]{4,12}$/;
const mostIds = 20;

export class RequestLog {
  readonly #log: Log;
  /** An error goes through the runtime and the API, and is told by the first of them. */
  readonly #told = new WeakSet<Error>();

  constructor(log: Log) {
    this.#log = log;
  }

  answered(facts: RequestFacts, output: unknown): void {
    if (this.#log.isEnabled("debug")) this.#log.debug(fieldsOf(facts, output), `${facts.name} answered`);
  }

  streamed(route: string, requestId: string): void {
    this.#log.debug({ requestId, route }, "stream opened");
  }

  failed(facts: RequestFacts, error: HoldfastError): void {
    this.#told.add(error);
    this.#tell(error, facts.name, fieldsOf(facts, undefined));
  }

  /** Not through the runtime: what came is no request, or the daemon goes. */
  refused(error: HoldfastError, requestId: string): void {
    if (!this.#told.has(error)) this.#tell(error, "request", { requestId });
  }

  #tell(error: HoldfastError, what: string, fields: LogFields): void {
    const { code } = error;
    const { category } = errorRegistry[code];
    if (category === "internal") this.#log.error({ ...fields, code, err: error }, `${what} failed`);
    else if (isOurs(error)) this.#log.warn({ ...fields, code, err: error }, `${what} failed`);
    else this.#log.debug({ ...fields, code }, `${what} refused`);
  }
}

/** The machine or the limits of the daemon, not what was asked. */
function isOurs({ code }: HoldfastError): boolean {
  const { category } = errorRegistry[code];
  return (
    (category === "unavailable" || category === "limit" || category === "timeout") && !expected.has(code)
  );
}

function fieldsOf({ name, caller, beganAtMs, input }: RequestFacts, output: unknown): LogFields {
  const { requestId, session = ownerSession(output), who } = caller;
  const ids = processesOf(output, input);
  return {
    requestId,
    verb: name,
    ...(who === undefined ? {} : { who: who.name, via: who.via }),
    ...(session === undefined ? {} : { session }),
    ...(ids.length === 1
      ? { processId: ids[0] }
      : ids.length === 0
        ? {}
        : { processIds: ids.slice(0, mostIds) }),
    durationMs: Math.round((performance.now() - beganAtMs) * 1_000) / 1_000,
  };
}

/** Of a process that the answer describes. */
function ownerSession(output: unknown): string | undefined {
  const owner = fieldOf(output, "owner");
  const session = fieldOf(owner, "session");
  return typeof session === "string" ? session : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The answer knows the whole id; a request names what its caller typed, which may be anything, so only what looks like an id is kept. */
function processesOf(output: unknown, input: unknown): string[] {
  const answered = idsIn(output);
  return answered.length > 0 ? answered : idsIn(input);
}

function idsIn(value: unknown): string[] {
  const ids = fieldOf(value, "ids");
  const several = Array.isArray(ids) ? (ids as unknown[]) : [];
  return [fieldOf(value, "id"), ...several]
    .filter((id) => typeof id === "string")
    .filter((id) => idShape.test(id));
}
