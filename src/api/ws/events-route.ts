// GET /v1/events?after=N&output=1: one JSON text per event. A client that does not read is closed with 4008 and comes
// back by its cursor.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { EventsOptions, Runtime } from "../../operations/runtime.ts";
import { closeCode } from "../../protocol/live-frames.ts";
import { callerOf } from "../http/caller.ts";
import { errorBodyOf, type ReportError } from "../http/error-answer.ts";
import { PacedSocket } from "./paced-socket.ts";
import { readQuery, refuseWithoutUpgrade } from "./query.ts";

// A reader that is this far behind is waited for, and events wait in the store.
const queueLimitBytes = 1024 * 1024;

const querySchema = z.object({
  after: z.coerce.number().int().nonnegative().optional(),
  output: z.enum(["0", "1"]).default("0"),
});

export interface EventsRouteOptions {
  readonly runtime: Runtime;
  readonly report: ReportError;
  /** How long a client that reads nothing is kept. */
  readonly stallMs: number;
}

export function addEventsRoute(app: FastifyInstance, options: EventsRouteOptions): void {
  app.route({
    method: "GET",
    url: "/v1/events",
    handler: refuseWithoutUpgrade,
    wsHandler: (socket, request) => {
      void sendEvents(socket, request, options);
    },
  });
}

async function sendEvents(
  socket: WebSocket,
  request: FastifyRequest,
  { runtime, report, stallMs }: EventsRouteOptions,
): Promise<void> {
  const paced = new PacedSocket(socket, queueLimitBytes);
  try {
    const { after, output } = readQuery(querySchema, request.query);
    const begin = after ?? (await runtime.newestCursor());
    // A reader that was cut off before its first event comes back by this one, and has missed nothing.
    if (after === undefined) paced.sendJson({ kind: "events.begin", cursor: begin });
    const caller = callerOf(request);
    const options: EventsOptions = { caller, after: begin, output: output === "1", signal: paced.signal };
    for await (const event of runtime.events(options)) {
      if (!paced.isOpen) return;
      if (!(await paced.room(stallMs))) {
        paced.close(closeCode.tooSlow, "CLIENT_TOO_SLOW");
        return;
      }
      paced.sendJson(event);
    }
    paced.close(closeCode.goingAway, "");
  } catch (error) {
    if (!paced.isOpen) return;
    paced.sendJson({ kind: "error", error: errorBodyOf(error, request.id, report) });
    paced.close(closeCode.normal, "");
  }
}
