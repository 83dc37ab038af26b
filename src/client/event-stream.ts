// What happens, in order and through restarts of the daemon: by cursor, without a gap and without a repetition.
import type { Event, EventKind } from "../protocol/events.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";
import { isLoss } from "./outage.ts";

export interface EventsOptions {
  /** The last cursor you have seen; default: only what comes from now on. */
  readonly after?: number | undefined;
  /** Also tell when output grows (coalesced). */
  readonly output?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Is a kind stored, so that its cursor is its own? The keys are also the kinds this release knows. */
const storedKinds: Readonly<Record<EventKind, boolean>> = {
  "process.started": true,
  "process.changed": true,
  "process.ended": true,
  "process.removed": true,
  "process.output-grew": false,
  "events.trimmed": false,
};

/** @throws DAEMON_UNREACHABLE when the daemon stays away, or the signal's reason */
export async function* eventStream(
  door: StreamDoor,
  options: EventsOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = options.after;
  const path = (): string => {
    const query = new URLSearchParams();
    if (last !== undefined) query.set("after", String(last));
    if (options.output === true) query.set("output", "1");
    return `/v1/events?${query.toString()}`;
  };
  for await (const message of resumedMessages(door, { path, signal: options.signal })) {
    last ??= typeof message === "string" ? readBegin(message) : undefined;
    const event = typeof message === "string" ? readEvent(message) : undefined;
    if (event === undefined) continue;
    const isStored = storedKinds[event.kind];
    if (isStored && last !== undefined && event.cursor <= last) continue;
    if (isStored) last = event.cursor;
    // What is kept begins with that cursor, so it has not been told yet.
    // Of a daemon that has lost its store it may lie before what was told.
    if (event.kind === "events.trimmed") last = Math.max(0, event.cursor - 1);
    yield event;
  }
}

/** Where a stream begins that was asked for without a cursor: the daemon's first message. */
function readBegin(text: string): number | undefined {
  const message = parseObject(text);
  const { kind, cursor } = message ?? {};
  return kind === "events.begin" && typeof cursor === "number" ? cursor : undefined;
}

/** Undefined for a kind of a newer daemon, and for an error that a new connection mends. */
function readEvent(text: string): Event | undefined {
  const message = parseObject(text);
  if (message?.["kind"] === "error") {
    const error = errorFromBody(message["error"] ?? {});
    if (isLoss(error)) return undefined;
    throw error;
  }
  const isKnown = typeof message?.["kind"] === "string" && Object.hasOwn(storedKinds, message["kind"]);
  return isKnown ? (message as unknown as Event) : undefined; // the daemon makes events of a known kind by the same schema
}
