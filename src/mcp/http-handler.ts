// The MCP server over streamable HTTP, as a function from request to response. Every request stands alone: what outlives it is kept by
// the session's key.
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

/** Follows events only while somebody listens. */
class EventBus implements ServerEventBus {
  readonly #host: McpHost;
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  #following: AbortController | undefined;

  constructor(host: McpHost) {
    this.#host = host;
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    this.#following ??= this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#following?.abort();
      this.#following = undefined;
    };
  }

  #follow(): AbortController {
    const over = new AbortController();
    const { signal } = over;
    void followEvents(
      this.#host.events(signal),
      {
        updated: (uri) => this.publish({ kind: "resource_updated", uri }),
        listChanged: () => this.publish({ kind: "resources_list_changed" }),
      },
      { signal, report: this.#host.report },
    );
    return over;
  }
}

export function createHttpHandler(host: McpHost): McpHttp {
  const connection = new Connection(host, {});
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
      bus: new EventBus(host),
      onerror: (error) => host.report("A request of an MCP client.", error),
    },
  );
  return {
    fetch: async (request, answered, client) => {
      // A page of another site must not reach a daemon of this machine through the browser.
      const refused = originValidationResponse(request, localhostAllowedOrigins());
      if (refused !== undefined) return refused;
      open.set(request, { answered, client });
      return await handler.fetch(request);
    },
    close: () => handler.close(),
  };
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
