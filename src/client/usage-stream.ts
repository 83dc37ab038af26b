// Live figures, through restarts of the daemon: each connection begins with every row.
import type { UsageUpdate } from "../protocol/usage.ts";
import { isLoss } from "./outage.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";

export interface UsageOptions {
  readonly signal?: AbortSignal | undefined;
}

/** @throws DAEMON_UNREACHABLE when the daemon stays away, or the signal's reason */
export async function* usageStream(
  door: StreamDoor,
  { signal }: UsageOptions,
): AsyncGenerator<UsageUpdate, void, undefined> {
  for await (const message of resumedMessages(door, { path: () => "/v1/usage", signal })) {
    const update = typeof message === "string" ? readUpdate(message) : undefined;
    if (update !== undefined) yield update;
  }
}

/** Undefined for a kind of message of a newer daemon, and for an error that a new connection mends. */
function readUpdate(text: string): UsageUpdate | undefined {
  const message = parseObject(text);
  if (message?.["kind"] === "error") {
    const error = errorFromBody(message["error"] ?? {});
    if (isLoss(error)) return undefined;
    throw error;
  }
  return message?.["kind"] === "usage" ? (message as unknown as UsageUpdate) : undefined; // made by the same schema
}
