// The MCP server over streamable HTTP, as a function from request to response. Every request stands alone: what outlives it is kept by
// the session's key.
import { AsyncLocalStorage } from "node:async_hooks";
import {
  createMcpHandler,
  originValidationResponse,
  localhostAllowedOrigins,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { headerName } from "../protocol/live-frames.ts";
import type { McpHost } from "./host.ts";
import { Connection } from "./server/connection.ts";
import { createServer } from "./server/create-server.ts";
import { TaskPushes } from "./server/task-pushes.ts";
import { withTasks } from "./server/task-stream.ts";
import { followEvents } from "./server/updates.ts";

export interface McpHttp {
  /** `answered` resolves when the response is out; `client` is the connection it came by. */
  fetch(request: Request, answered: Promise<boolean>, client: () => object): Promise<Response>;
  close(): Promise<void>;
}

interface OpenRequest {
  readonly answered: Promise<boolean>;
  readonly client: () => object;
}

interface Followers {
  readonly listeners: Set<(event: ServerEvent) => void>;
  readonly over: AbortController;
}

/** Whoever listens hears of what its session may see. Events are followed only while somebody does. */
class EventBus implements ServerEventBus {
  readonly #host: McpHost;
  readonly #sessionOfListener: () => string;
  readonly #followers = new Map<string, Followers>();

  /** The SDK subscribes while it serves a request: whose it is, is told by the request. */
  constructor(host: McpHost, sessionOfListener: () => string) {
    this.#host = host;
    this.#sessionOfListener = sessionOfListener;
  }

  publish(event: ServerEvent): void {
    for (const { listeners } of this.#followers.values()) for (const listener of listeners) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const session = this.#sessionOfListener();
    const followers = this.#followers.get(session) ?? this.#follow(session);
    followers.listeners.add(listener);
    return () => {
      followers.listeners.delete(listener);
      if (followers.listeners.size > 0) return;
      followers.over.abort();
      this.#followers.delete(session);
    };
  }

  #follow(session: string): Followers {
    const followers = { listeners: new Set<(event: ServerEvent) => void>(), over: new AbortController() };
    this.#followers.set(session, followers);
    const { signal } = followers.over;
    const tell = (event: ServerEvent): void => {
      for (const listener of followers.listeners) listener(event);
    };
    void followEvents(
      this.#host.events(session, signal),
      {
        updated: (uri) => tell({ kind: "resource_updated", uri }),
        listChanged: () => tell({ kind: "resources_list_changed" }),
      },
      { signal, report: this.#host.report },
    );
    return followers;
  }
}

export function createHttpHandler(host: McpHost): McpHttp {
  const connection = new Connection(host, {});
  // Whose subscription the SDK serves.
  const listening = new AsyncLocalStorage<string>();
  const open = new WeakMap<Request, OpenRequest>();
  const handler = createMcpHandler(
    ({ era, requestInfo }) => {
      const request = requestInfo === undefined ? undefined : open.get(requestInfo);
      return createServer(connection, {
        era,
        isLasting: false,
        given: sessionOf(requestInfo),
        client: request?.client,
        answered: () => request?.answered ?? Promise.resolve(false),
      });
    },
    {
      legacy: "stateless",
      bus: new EventBus(host, () => listening.getStore() ?? connection.sessionOf({})),
      onerror: (error) => host.report("A request of an MCP client.", error),
    },
  );
  return {
    fetch: async (request, answered, client) => {
      // A page of another site must not reach a daemon of this machine through the browser.
      const refused = originValidationResponse(request, localhostAllowedOrigins());
      if (refused !== undefined) return refused;
      const given = sessionOf(request);
      const pushes = new TaskPushes(
        (clientName) => connection.sessionOf({ given, clientName }),
        (session) => host.operations(session),
      );
      const listened = isListen(request) ? await readListen(request, pushes) : undefined;
      const served = listened?.request ?? request;
      open.set(served, { answered, client });
      if (listened === undefined) return await handler.fetch(served);
      const { session } = listened;
      return withTasks(await listening.run(session, () => handler.fetch(served)), (message) =>
        pushes.outbound(message, session),
      );
    },
    close: () => handler.close(),
  };
}

/** The current revision names the method in a header. */
function isListen(request: Request): boolean {
  return request.method === "POST" && request.headers.get("mcp-method") === "subscriptions/listen";
}

/** Undefined: what came is not what its header says, which the SDK refuses. */
async function readListen(
  request: Request,
  pushes: TaskPushes,
): Promise<{ readonly request: Request; readonly session: string } | undefined> {
  let body: unknown;
  try {
    body = await request.clone().json();
  } catch {
    return undefined; // no JSON
  }
  const listened = await pushes.inbound(body);
  if (listened === undefined) return undefined;
  const { message, session } = listened;
  const { url, method, headers, signal } = request;
  return { session, request: new Request(url, { method, headers, signal, body: JSON.stringify(message) }) };
}

function sessionOf(request: Request | undefined): string | undefined {
  const given = request?.headers.get(headerName.session);
  if (given === null || given === undefined) return undefined;
  try {
    return decodeURIComponent(given);
  } catch {
    return given; // not percent-encoded: taken as it is
  }
}
