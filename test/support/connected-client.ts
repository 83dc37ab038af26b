// A client of a daemon's home for one test.
import { onTestFinished } from "vitest";
import { connect, type Client, type ConnectOptions } from "../../src/sdk/index.ts";
import type { LiveOutput } from "../../src/protocol/live-output.ts";

// Kills in a row are one outage to a client that was not back in between, and a daemon of a busy machine takes seconds to start.
const reconnectMs = 60_000;

export async function connectedClient(options: ConnectOptions & { readonly home: string }): Promise<Client> {
  const client = await connect({ reconnectMs, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The text of the output, which must be without a hole: every piece begins where the one before it ended. */
export async function wholeText(events: AsyncIterable<LiveOutput>, from = 0): Promise<string> {
  const parts: Uint8Array[] = [];
  let next = from;
  for await (const event of events) {
    if (event.kind === "missing") throw new Error(`missing ${event.from}-${event.to}: ${event.why}`);
    if (event.kind !== "data") continue;
    if (event.offset !== next) throw new Error(`a piece at ${event.offset}, expected ${next}`);
    parts.push(event.bytes);
    next += event.bytes.length;
  }
  return Buffer.concat(parts).toString();
}
