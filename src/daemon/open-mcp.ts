// The MCP server inside the daemon: its operations are the runtime's own. Loaded with the first request: most homes never have one.
import { AsyncLocalStorage } from "node:async_hooks";
import type { McpClient, McpFetch } from "../api/index.ts";
import type { McpHttp } from "../mcp/index.ts";
import { forKnownCallers, type Runtime } from "../operations/index.ts";
import type { Who } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { newRequestId } from "../protocol/ids.ts";
import type { Caller } from "../protocol/operations.ts";

export interface McpParts {
  readonly runtime: Runtime;
  readonly version: string;
  readonly report: (message: string, cause: unknown) => void;
}

export interface OpenMcp {
  readonly fetch: McpFetch;
  close(): Promise<void>;
}

/**
 * One server for the owner, and others for the network, which act for nobody but whoever sent the request. A server remembers how far a
 * session has looked: whoever only looks on has one of their own, so that they move nobody's place.
 */
export function openMcp(parts: McpParts): OpenMcp {
  const owners = new LazyHandler(parts);
  const byNetwork = { ...parts, runtime: forKnownCallers(parts.runtime) };
  const [viewers, actors] = [new LazyHandler(byNetwork), new LazyHandler(byNetwork)];
  const serverOf = ({ who }: McpClient): LazyHandler =>
    who === undefined ? owners : who.role === "viewer" ? viewers : actors;
  return {
    fetch: (request, answered, client) => serverOf(client).fetch(request, answered, client),
    close: async () => {
      await Promise.all([owners, viewers, actors].map((server) => server.close()));
    },
  };
}

class LazyHandler {
  readonly #parts: McpParts;
  /** Follows a request through everything that is done for it. */
  readonly #who = new AsyncLocalStorage<Who | undefined>();
  #loaded: Promise<McpHttp> | undefined;

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  async fetch(request: Request, answered: Promise<boolean>, client: McpClient): Promise<Response> {
    this.#loaded ??= this.#load();
    const http = await this.#loaded;
    return await this.#who.run(client.who, () => http.fetch(request, answered, client.connection));
  }

  #caller(): Caller {
    const who = this.#who.getStore();
    return { requestId: newRequestId(), ...(who === undefined ? {} : { who }) };
  }

  async close(): Promise<void> {
    const http = await this.#loaded;
    await http?.close();
  }

  async #load(): Promise<McpHttp> {
    const { runtime, version, report } = this.#parts;
    const { createHttpHandler } = await import("../mcp/index.ts");
    return createHttpHandler({
      operations: (session, answered) => ({
        call: (name, input, { signal } = {}) =>
          runtime.call(name, input, { session, ...this.#caller() }, signal, answered),
      }),
      personal: (connection) => ({
        call: (name, input, { signal } = {}) => {
          const caller = this.#caller();
          if (caller.who !== undefined) return runtime.call(name, input, caller, signal);
          // Without one a caller passes for the program the daemon runs in.
          if (connection === undefined) throw new HoldfastError("PERSON_REQUIRED", "Nobody knows who asks.");
          return runtime.call(name, input, { ...caller, connection }, signal);
        },
      }),
      events: (session, signal) =>
        runtime.events({ caller: { session, ...this.#caller() }, output: true, signal }),
      notices: (session, signal) =>
        runtime.notices({ caller: { session, ...this.#caller() }, after: 0, signal }),
      startDefaults: {},
      version,
      report,
    });
  }
}
