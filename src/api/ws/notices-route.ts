// GET /v1/notifications?after=N&session=…: one JSON text per notice over a WebSocket, or as server-sent events. Reading
// settles nothing; a reader comes back by its cursor (Last-Event-ID for server-sent events).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { NoticesOptions, Runtime } from "../../operations/runtime.ts";
import { closeCode } from "../../protocol/live-frames.ts";
import { noticeKindSchema, type NoticeChange } from "../../protocol/notices.ts";
import { callerOf } from "../http/caller.ts";
import { errorBodyOf, type ReportError } from "../http/error-answer.ts";
import { PacedSocket } from "./paced-socket.ts";
import { readQuery, refuseWithoutUpgrade } from "./query.ts";

const queueLimitBytes = 1024 * 1024;
const mostUnsent = 10_000;

const querySchema = z.object({
  after: z.coerce.number().int().nonnegative().optional(),
  session: z.string().optional(),
  task: z.string().optional(),
  profile: z.string().optional(),
  process: z.string().optional(),
  /** Repeated, or once with commas. */
  kinds: z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat().flatMap((text) => text.split(",")))
    .pipe(z.array(noticeKindSchema))
    .optional(),
  recorded: z.enum(["0", "1"]).default("0"),
});

export interface NoticesRouteOptions {
  readonly runtime: Runtime;
  readonly report: ReportError;
  /** How long a client that reads nothing is kept. */
  readonly stallMs: number;
}

export function addNoticesRoute(app: FastifyInstance, options: NoticesRouteOptions): void {
  app.route({
    method: "GET",
    url: "/v1/notifications",
    handler: async (request, reply) => {
      if (!(request.headers.accept ?? "").includes("text/event-stream")) refuseWithoutUpgrade();
      await sendEventStream(request, reply, options);
    },
    wsHandler: (socket, request) => {
      void sendMessages(socket, request, options);
    },
  });
}

function feedOf(
  { runtime }: NoticesRouteOptions,
  request: FastifyRequest,
  signal: AbortSignal,
  {
    lastEventId,
    onChange,
  }: { readonly lastEventId?: string; readonly onChange?: NoticesOptions["onChange"] },
) {
  const { recorded, after, ...filter } = readQuery(querySchema, request.query);
  const caller = callerOf(request);
  const cursor = lastEventId !== undefined && /^\d+$/.test(lastEventId) ? Number(lastEventId) : after;
  return runtime.notices({ ...filter, caller, after: cursor, recorded: recorded === "1", onChange, signal });
}

async function sendMessages(
  socket: WebSocket,
  request: FastifyRequest,
  options: NoticesRouteOptions,
): Promise<void> {
  const paced = new PacedSocket(socket, queueLimitBytes);
  let unsent: NoticeChange[] = [];
  const sendChanges = (): void => {
    if (unsent.length === 0 || !paced.hasRoom) return;
    paced.sendJson({ kind: "settled", notices: unsent });
    unsent = [];
  };
  const onChange = (changes: readonly NoticeChange[]): void => {
    unsent.push(...changes);
    sendChanges();
    // One that takes nothing begins anew, and asks for the list then.
    if (unsent.length > mostUnsent) paced.close(closeCode.tooSlow, "CLIENT_TOO_SLOW");
  };
  try {
    for await (const notice of feedOf(options, request, paced.signal, { onChange })) {
      if (!paced.isOpen) return;
      if (!(await paced.room(options.stallMs))) {
        paced.close(closeCode.tooSlow, "CLIENT_TOO_SLOW");
        return;
      }
      sendChanges();
      paced.sendJson({ kind: "notice", notice });
    }
    paced.close(closeCode.goingAway, "");
  } catch (error) {
    if (!paced.isOpen) return;
    paced.sendJson({ kind: "error", error: errorBodyOf(error, request.id, options.report) });
    paced.close(closeCode.normal, "");
  }
}

async function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  options: NoticesRouteOptions,
): Promise<void> {
  const gone = new AbortController();
  const { raw } = reply;
  raw.once("close", () => gone.abort());
  const lastEventId = request.headers["last-event-id"];
  const feed = feedOf(options, request, gone.signal, typeof lastEventId === "string" ? { lastEventId } : {});
  reply.hijack();
  raw.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
  raw.flushHeaders();
  try {
    for await (const notice of feed) {
      const text = `id: ${notice.cursor}\nevent: notice\ndata: ${JSON.stringify(notice)}\n\n`;
      // A reader that does not keep up is waited for: what it has not taken stays in the store.
      if (!raw.write(text)) await drained(raw, gone.signal);
    }
  } catch (error) {
    const body = errorBodyOf(error, request.id, options.report);
    raw.write(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }
  raw.end();
}

function drained(raw: FastifyReply["raw"], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  raw.once("drain", resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
