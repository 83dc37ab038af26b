// The MCP server as a client of the daemon. Loaded by `holdfast mcp` as a program of its own.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../client/index.ts";
import { projectRoot, serveStdio, type McpHost } from "../mcp/index.ts";
import type { Event } from "../protocol/events.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import type { NoticeWithText } from "../protocol/notices.ts";
import { callerNice, callerNofile, callerUmask, callerVariables } from "./caller.ts";
import { given } from "./parse/given.ts";
import { SessionClients } from "./session-clients.ts";
import { readVersion } from "./version.ts";

export interface ServeMcpOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly session: string | undefined;
  readonly channel: boolean;
}

// A daemon that was stopped on purpose comes back when somebody needs it: streams look so often.
const streamPauseMs = 1_000;

/** A stream that goes on, however long the daemon is away. */
async function* lasting<Item>(
  clients: SessionClients,
  session: string,
  open: (client: Client) => AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  while (!signal.aborted) {
    let client: Client | undefined;
    try {
      client = await clients.withoutStart(session, signal);
      yield* open(client);
    } catch (error) {
      if (signal.aborted) return;
      if (!isHoldfastError(error)) throw error;
    } finally {
      client?.close();
    }
    await delay(streamPauseMs, undefined, { signal }).catch(() => undefined); // told to end: the loop sees it
  }
}

async function* events(
  clients: SessionClients,
  session: string,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  let after: number | undefined;
  for await (const event of lasting(
    clients,
    session,
    (client) => client.events({ after, output: true, signal }),
    signal,
  )) {
    after = event.cursor;
    yield event;
  }
}

async function* notices(
  clients: SessionClients,
  session: string,
  signal: AbortSignal,
): AsyncGenerator<NoticeWithText, void, undefined> {
  let after = 0;
  const open = (client: Client): AsyncIterable<NoticeWithText> => client.notices({ session, after, signal });
  for await (const notice of lasting(clients, session, open, signal)) {
    after = notice.cursor;
    yield notice;
  }
}

/** Resolves when the client has gone. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { environment, directory, session, channel } = options;
  const clients = new SessionClients(options);
  const host: McpHost = {
    operations: (key) => clients.operations(key),
    // The daemon looks at this process, which is the client's child.
    personal: () => clients.operations(undefined),
    events: (key, signal) => events(clients, key, signal),
    notices: (key, signal) => notices(clients, key, signal),
    startDefaults: {
      cwd: directory,
      environment: { caller: callerVariables(environment) },
      umask: callerUmask(),
      ...given({ nice: callerNice(), nofile: callerNofile(environment) }),
    },
    version: readVersion(),
    // Standard output is the protocol's; clients show or keep what comes on standard error.
    report: (message, cause) =>
      process.stderr.write(
        `holdfast mcp: ${message} ${cause instanceof Error ? cause.message : String(cause)}\n`,
      ),
  };
  try {
    await serveStdio(host, { session, directory: projectRoot(directory), channel });
  } finally {
    await clients.close();
  }
}
