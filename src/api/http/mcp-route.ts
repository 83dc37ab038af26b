// /mcp: HTTP in, HTTP out. What is asked and answered is the MCP server's; here is only the way between Node's and the web's requests.
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Who } from "../../protocol/access.ts";
import type { OpenRequests } from "./open-requests.ts";

/** A function from request to response; given by whoever composes the daemon. */
export interface McpFetch {
  /** `answered` resolves when the response is out; false: its client went away first. */
  (request: Request, answered: Promise<boolean>, client: McpClient): Promise<Response>;
}

export interface McpClient {
  /** Whoever came by the network. */
  readonly who: Who | undefined;
  /** The socket it came by. */
  readonly connection: () => object;
}

export interface McpRouteOptions {
  readonly fetch: McpFetch;
  readonly openRequests: OpenRequests;
}

export async function addMcpRoute(
  app: FastifyInstance,
  { fetch, openRequests }: McpRouteOptions,
): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // What is no JSON is the MCP server's to refuse, in its own way.
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, parsed) => parsed(null, body));
    scope.all("/mcp", async (request, reply) => {
      const { raw } = reply;
      const body = Buffer.isBuffer(request.body) ? request.body : undefined;
      const response = await openRequests.run(raw, false, (signal) =>
        fetch(webRequest(request, body, AbortSignal.any([signal, gone(raw)])), answerIsOut(raw), {
          who: request.identity?.who,
          connection: () => request.raw.socket,
        }),
      );
      reply.hijack();
      await send(response, raw);
    });
    done();
  });
}

// What the gate has judged already, and what is nobody else's to see.
const forTheGate = new Set(["origin", "cookie", "authorization"]);

function webRequest(
  { raw: request, identity }: FastifyRequest,
  body: Buffer | undefined,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (identity !== null && forTheGate.has(name)) continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  const method = request.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD" && body !== undefined;
  return new Request(new URL(request.url ?? "/", "http://localhost"), {
    method,
    headers,
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

/** Fires when the client goes away, also while an answer is streamed to it. */
function gone(raw: ServerResponse): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => controller.abort());
  return controller.signal;
}

function answerIsOut(raw: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    raw.once("finish", () => resolve(true));
    raw.once("close", () => resolve(raw.writableFinished));
  });
}

async function send(response: Response, raw: ServerResponse): Promise<void> {
  raw.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  raw.once("close", () => void reader?.cancel().catch(() => undefined)); // nobody reads any more
  // A stream that has nothing to say yet must be seen to have begun.
  raw.flushHeaders();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (!raw.write(part.value) && !raw.destroyed) await drained(raw);
  }
  raw.end();
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    raw.once("drain", resolve);
    raw.once("close", resolve);
  });
}
