// The MCP server as a client of the daemon: one connection per session, made when it is needed, made again when it is lost. Loaded by
// `holdfast mcp` as a program of its own.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../client/index.ts";
import { connect } from "../client/node.ts";
import { projectRoot, serveStdio, type McpHost } from "../mcp/index.ts";
import type { Event } from "../protocol/events.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import type { NoticeWithText } from "../protocol/notices.ts";
import type { Operations } from "../protocol/operations.ts";
import { callerNice, callerNofile, callerUmask, callerVariables } from "./caller.ts";
import { given } from "./parse/given.ts";
import { startDaemon } from "./start-daemon.ts";
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

class Clients {
  readonly #options: ServeMcpOptions;
  readonly #clients = new Map<string | undefined, Promise<Client>>();

  constructor(options: ServeMcpOptions) {
    this.#options = options;
  }

  /** Of a session, or of nobody. Starts a daemon when none runs. @throws HoldfastError DAEMON_UNREACHABLE, CONFIG_INVALID */
  of(session: string | undefined): Promise<Client> {
    const { home, environment } = this.#options;
    const found = this.#clients.get(session);
    if (found !== undefined) return found;
    const made = connect({ home, session, startDaemon: () => startDaemon(home, environment) });
    this.#clients.set(session, made);
    // The next call tries again.
    made.catch(() => this.#clients.delete(session));
    return made;
  }

  /** For streams: they wait for a daemon and start none. */
  async withoutStart(session: string, signal: AbortSignal): Promise<Client> {
    return await connect({ home: this.#options.home, session, reconnectMs: 0, signal });
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#clients.values());
    for (const client of opened) if (client.status === "fulfilled") client.value.close();
  }
}

/** A stream that goes on, however long the daemon is away. */
async function* lasting<Item>(
  clients: Clients,
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
  clients: Clients,
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
  clients: Clients,
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
  const clients = new Clients(options);
  const operationsOf = (key: string | undefined): Operations => ({
    call: async (name, input, callOptions) => await (await clients.of(key)).call(name, input, callOptions),
  });
  const host: McpHost = {
    operations: operationsOf,
    // The daemon looks at this process, which is the client's child.
    personal: () => operationsOf(undefined),
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
