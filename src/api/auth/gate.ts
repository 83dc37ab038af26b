// The gate as hooks of Fastify: every request by the network is shown to it first. It decides; here it is only asked.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Access, BindAddress, GateRequest } from "../../access/index.ts";
import { accessPath } from "../../protocol/access.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import { OpenStreams } from "./open-streams.ts";
import { setSecurityHeaders } from "./security-headers.ts";

export interface GateOptions {
  readonly access: Access;
  readonly bind: BindAddress;
}

/** Returns what ends streams whose caller is no longer signed in. */
export function addGate(app: FastifyInstance, { access, bind }: GateOptions): OpenStreams {
  const streams = new OpenStreams();
  app.addHook("onRequest", async (request, reply) => {
    setSecurityHeaders(reply.raw);
    const visit = access.receive(gateRequestOf(request), request.id, bind);
    request.visit = visit;
    if (request.routeOptions.config.isPublic === true) return;
    try {
      const identity = await access.identify(visit);
      request.identity = identity;
      if (visit.request.isUpgrade) streams.expect(identity, request.raw);
      else streams.followAnswer(identity, reply.raw);
    } catch (error) {
      if (!isHoldfastError(error, "UNAUTHENTICATED") || !isPageRequest(request)) throw error;
      await toSignIn(request, reply);
    }
  });
  app.websocketServer.on("connection", (socket, request) => streams.followSocket(socket, request));
  app.addHook("onClose", (_instance, done) => {
    for (const stop of listening) stop();
    done();
  });
  const listening = [
    access.credentials.onEnded((credential) => streams.end(credential)),
    access.onChange(() => void streams.endUnless((identity) => access.stillCounts(identity))),
  ];
  return streams;
}

function gateRequestOf({ raw, method, headers }: FastifyRequest): GateRequest {
  const { socket } = raw;
  return {
    method,
    headers,
    isUpgrade: headers.upgrade !== undefined,
    isEncrypted: "encrypted" in socket && socket.encrypted === true,
    remoteAddress: socket.remoteAddress ?? "",
    remotePort: socket.remotePort ?? 0,
    localPort: socket.localPort ?? 0,
  };
}

const forPrograms = /^\/(?:v1|mcp|auth|assets|openapi\.json)(?:[/?]|$)/;

/** A person with a browser, who can be sent elsewhere. */
function isPageRequest({ method, headers, url }: FastifyRequest): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html") && !forPrograms.test(url);
}

async function toSignIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const next = request.url === "/" ? "" : `?next=${encodeURIComponent(request.url)}`;
  await reply.redirect(accessPath.login + next, 302);
}
