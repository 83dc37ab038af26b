// The MCP server on standard input and output. It remembers nothing that matters: killed at any time, the next one goes on.
import { StdioServerTransport, serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { McpServer } from "@modelcontextprotocol/server";
import type { McpHost } from "./host.ts";
import { AnsweredTransport } from "./server/answered-transport.ts";
import { pushNotices } from "./server/channel.ts";
import { clientNameOf, takesChannel } from "./server/client-facts.ts";
import { Connection } from "./server/connection.ts";
import { createServer } from "./server/create-server.ts";
import { subscriptionsOf } from "./server/resources.ts";
import { TaskPushes } from "./server/task-pushes.ts";
import { TaskTransport } from "./server/task-transport.ts";
import { followEvents, type UpdateSink } from "./server/updates.ts";

export interface StdioOptions {
  /** Of the environment; default: one per client and project. */
  readonly session: string | undefined;
  readonly directory: string;
  /** Push notices into the client also when it does not look as if it took them. */
  readonly channel: boolean;
}

/** Resolves when the client has gone. */
export async function serveStdio(host: McpHost, options: StdioOptions): Promise<void> {
  const over = new AbortController();
  const connection = new Connection(host, { given: options.session, directory: options.directory });
  const followed = new Followed(host);
  const pushes = new TaskPushes(
    (clientName) => connection.sessionOf({ clientName }),
    (session) => host.operations(session),
  );
  const wire = new TaskTransport(new StdioServerTransport(), {
    pushes,
    onListen: (session) => followed.follow(session),
  });
  const transport = new AnsweredTransport(wire);
  const handle = serveSdkStdio(
    ({ era }) => {
      const mcp = createServer(connection, {
        era,
        isLasting: true,
        onCall: (session) => followed.follow(session),
        answered: (requestId) => transport.answered(requestId),
      });
      // The SDK may ask for a server that it gives up again: what it does ends with it.
      const gone = new AbortController();
      const signal = AbortSignal.any([over.signal, gone.signal]);
      followed.serve(mcp, { isModern: era === "modern", signal });
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
      mcp.server.onclose = () => gone.abort();
      mcp.server.oninitialized = () => {
        const session = connection.sessionOf({ clientName: clientNameOf(mcp) });
        followed.follow(session);
        if (options.channel || takesChannel(mcp)) void pushNotices(mcp, host, { session, signal });
      };
      return mcp;
    },
    { legacy: "serve", transport, onerror: (error) => host.report("The connection to the client.", error) },
  );
  await transport.closed;
  over.abort();
  await handle.close();
}

/** One stream of events for the life of the connection, from when it is known whose it is; what nobody subscribed to goes nowhere. */
class Followed {
  readonly #host: McpHost;
  #serving: { readonly sink: UpdateSink; readonly signal: AbortSignal } | undefined;
  #session: string | undefined;

  constructor(host: McpHost) {
    this.#host = host;
  }

  /** Of the server that is served now. */
  serve(
    mcp: McpServer,
    { isModern, signal }: { readonly isModern: boolean; readonly signal: AbortSignal },
  ): void {
    // A connection that is about to close, or has none yet, learns nothing.
    const quietly = (sent: Promise<void>): void => void sent.catch(() => undefined);
    const wanted = subscriptionsOf(mcp);
    const sink: UpdateSink = {
      updated: (uri) => {
        // In the current revision the SDK knows who listens.
        if (isModern || wanted.has(uri)) quietly(mcp.server.sendResourceUpdated({ uri }));
      },
      listChanged: () => quietly(mcp.server.sendResourceListChanged()),
    };
    this.#serving = { sink, signal };
    this.#session = undefined;
  }

  follow(session: string): void {
    if (this.#serving === undefined || this.#session !== undefined) return;
    this.#session = session;
    const { sink, signal } = this.#serving;
    void followEvents(this.#host.events(session, signal), sink, { signal, report: this.#host.report });
  }
}
