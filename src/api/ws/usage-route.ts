// GET /v1/usage: live figures, one JSON text per sample. The first has every row, later ones those that changed.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { Runtime } from "../../operations/runtime.ts";
import { closeCode } from "../../protocol/live-frames.ts";
import { callerOf } from "../http/caller.ts";
import { errorBodyOf, type ReportError } from "../http/error-answer.ts";
import { PacedSocket } from "./paced-socket.ts";
import { refuseWithoutUpgrade } from "./query.ts";

// Four samples of a thousand rows: what comes while a reader is behind is put together for it.
const queueLimitBytes = 512 * 1024;

export interface UsageRouteOptions {
  readonly runtime: Runtime;
  readonly report: ReportError;
}

export function addUsageRoute(app: FastifyInstance, options: UsageRouteOptions): void {
  app.route({
    method: "GET",
    url: "/v1/usage",
    handler: refuseWithoutUpgrade,
    wsHandler: (socket, request) => {
      void sendUsage(socket, request, options);
    },
  });
}

async function sendUsage(
  socket: WebSocket,
  request: FastifyRequest,
  { runtime, report }: UsageRouteOptions,
): Promise<void> {
  const paced = new PacedSocket(socket, queueLimitBytes);
  try {
    for await (const update of runtime.usage({ caller: callerOf(request), signal: paced.signal })) {
      if (!paced.isOpen) return;
      paced.sendJson(update);
      await paced.room();
    }
    paced.close(closeCode.goingAway, "");
  } catch (error) {
    if (!paced.isOpen) return;
    paced.sendJson({ kind: "error", error: errorBodyOf(error, request.id, report) });
    paced.close(closeCode.normal, "");
  }
}
