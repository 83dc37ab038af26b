// The adapters put together: the same routes for whoever listens. Decides nothing: every verb goes to the runtime.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import websocket from "@fastify/websocket";
import { fastify, type FastifyInstance, type FastifyReply } from "fastify";
import type { Identity, Visit } from "../access/index.ts";
import type { Runtime } from "../operations/runtime.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { closeCode, headerName } from "../protocol/live-frames.ts";
import { operationNames } from "../protocol/operations.ts";
import { requestIdOf } from "./http/caller.ts";
import { errorBodyOf, statusOf, type ReportError } from "./http/error-answer.ts";
import { renderOpenApi } from "./http/openapi.ts";
import { addMcpRoute, type McpFetch } from "./http/mcp-route.ts";
import { OpenRequests, stoppingError } from "./http/open-requests.ts";
import { addOperationRoutes, jsonType } from "./http/operation-routes.ts";
import { addOutputFileRoute } from "./http/output-file-route.ts";
import { addEventsRoute } from "./ws/events-route.ts";
import { addLiveOutputRoute } from "./ws/live-output-route.ts";
import { addNoticesRoute } from "./ws/notices-route.ts";
import { addTerminalViewRoute } from "./ws/terminal-view-route.ts";
import { addUsageRoute } from "./ws/usage-route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of whoever came by the network; null: by the Unix socket. */
    visit: Visit | null;
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** By the network: for anybody, signed in or not. */
    isPublic?: true;
  }
}

export interface RouteOptions {
  readonly runtime: Runtime;
  /** Answers /mcp; without it there is nothing there. */
  readonly mcp?: McpFetch;
  /** Of this release; told in a header of every answer. */
  readonly version: string;
  /** Told of every error that is answered. Of those that are nobody's but ours the caller learns only the request id. */
  readonly onError?: ReportError;
  /** Told of every WebSocket that is asked for, by its route. */
  readonly onStream?: (route: string, requestId: string) => void;
  /** Holds every answer against its schema: for tests. */
  readonly validateOutput?: boolean;
  /** How long an event stream whose client reads nothing is kept. */
  readonly eventStallMs?: number;
}

export interface AppOptions extends RouteOptions {
  /** Does not listen yet. */
  readonly server: Server;
  /** What comes before the routes: hooks, and routes of its own. */
  readonly prepare?: (app: FastifyInstance) => Promise<void>;
  /** What is answered where no route is; default: an error that lists the verbs. */
  readonly otherwise?: (app: FastifyInstance) => void;
}

export interface App {
  /** Ends waits and streams at once, and lets changes finish for a while. */
  close(): Promise<void>;
}

const bodyLimitBytes = 16 * 1024 * 1024;
const closeGraceMs = 2_000;
const defaultEventStallMs = 10_000;

export async function createApp(options: AppOptions): Promise<App> {
  const { server } = options;
  const sockets = trackSockets(server);
  const openRequests = new OpenRequests();
  const report: ReportError = options.onError ?? (() => undefined);
  const app = fastify({
    serverFactory: (handler) => server.on("request", handler),
    logger: false,
    // Its refusal has no code; the hook below refuses with one.
    return503OnClosing: false,
    bodyLimit: bodyLimitBytes,
    genReqId: requestIdOf,
    // Before any hook has run: an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      reply.raw.setHeader(headerName.requestId, request.id);
      sendError(error, request, reply, report);
    },
    routerOptions: { maxParamLength: 256 },
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, report));
  (options.otherwise ?? addNotFound)(app);
  readJson(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.setHeader(headerName.requestId, request.id);
    reply.raw.setHeader(headerName.version, options.version);
    // The route, not the address: what is asked for is in that.
    if (request.headers.upgrade !== undefined) options.onStream?.(request.routeOptions.url ?? "", request.id);
    done(openRequests.isStopping ? stoppingError() : undefined);
  });
  app.decorateRequest("visit", null);
  app.decorateRequest("identity", null);
  await app.register(websocket, {
    options: { maxPayload: bodyLimitBytes, perMessageDeflate: false },
    preClose: (done) => {
      for (const client of app.websocketServer.clients) client.close(closeCode.goingAway, "DAEMON_STOPPING");
      app.websocketServer.close(() => done());
    },
  });
  await options.prepare?.(app);
  addOperationRoutes(app, { ...options, openRequests, validateOutput: options.validateOutput ?? false });
  const streams = { runtime: options.runtime, report };
  addEventsRoute(app, { ...streams, stallMs: options.eventStallMs ?? defaultEventStallMs });
  addLiveOutputRoute(app, streams);
  addOutputFileRoute(app, streams);
  addTerminalViewRoute(app, streams);
  addUsageRoute(app, streams);
  addNoticesRoute(app, { ...streams, stallMs: options.eventStallMs ?? defaultEventStallMs });
  if (options.mcp !== undefined) await addMcpRoute(app, { fetch: options.mcp, openRequests });
  let document: string | undefined;
  app.get("/openapi.json", (_request, reply) => {
    document ??= JSON.stringify(renderOpenApi(options.version));
    return reply.type(jsonType).send(document);
  });
  app.get("/healthz", { config: { isPublic: true } }, (_request, reply) =>
    reply.type(jsonType).send('{"ok":true}'),
  );
  await app.ready();
  return { close: () => closeServer({ app, server, openRequests, sockets }) };
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function addNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((request) => {
    throw notFoundError(request.method, request.url);
  });
}

export function notFoundError(method: string, url: string): HoldfastError {
  const [path = ""] = url.split("?");
  const details = { operations: operationNames };
  if (method === "POST" && path.startsWith("/v1/")) {
    const name = path.slice("/v1/".length);
    return new HoldfastError("UNSUPPORTED_OPERATION", `there is no operation "${name}"`, { details });
  }
  return new HoldfastError("NOT_FOUND", `nothing answers ${method} ${path}`, { details });
}

function sendError(
  thrown: unknown,
  { id }: { readonly id: string },
  reply: Pick<FastifyReply, "code" | "type" | "send">,
  report: ReportError,
): void {
  const error = errorBodyOf(thrown, id, report);
  reply.code(statusOf(error));
  reply.type(jsonType);
  reply.send(JSON.stringify({ error }));
}

/** An empty body is an empty input: most verbs that read need none. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  // Also text/plain, which Fastify would hand on as it is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null, {});
    else void parse(request, body as string, done); // parseAs makes it a string
  });
}

interface Closing {
  readonly app: FastifyInstance;
  readonly server: Server;
  readonly openRequests: OpenRequests;
  readonly sockets: ReadonlySet<Socket>;
}

async function closeServer({ app, server, openRequests, sockets }: Closing): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await openRequests.stop(closeGraceMs);
  const timer = setTimeout(() => {
    // Not closeAllConnections(): it leaves out what was upgraded.
    for (const socket of sockets) socket.destroy();
  }, closeGraceMs);
  await app.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}
