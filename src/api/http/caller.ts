// Who asks, from a request.
import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { HoldfastError } from "../../protocol/errors.ts";
import { newRequestId } from "../../protocol/ids.ts";
import { headerName } from "../../protocol/live-frames.ts";
import type { Caller } from "../../protocol/operations.ts";

// It stands in logs and in stop reasons: nothing that needs quoting, nothing long.
const requestIdShape = /^[A-Za-z0-9_.:-]{1,64}$/;
const mostSessionCharacters = 256;

/** The caller's own request id if it is well-formed, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[headerName.requestId];
  return typeof given === "string" && requestIdShape.test(given) ? given : newRequestId();
}

/** @throws HoldfastError INVALID_ARGUMENT for a session that cannot be read */
export function callerOf(request: FastifyRequest, session?: string): Caller {
  const { id: requestId, identity, headers } = request;
  const caller = identity === null ? { requestId } : { requestId, who: identity.who };
  const given = session ?? decodeSession(headers[headerName.session]);
  if (given === undefined) return caller;
  if (given.length === 0 || given.length > mostSessionCharacters) {
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      `the session has ${given.length} characters; 1-256 are allowed`,
    );
  }
  return { ...caller, session: given };
}

function decodeSession(header: string | string[] | undefined): string | undefined {
  if (typeof header !== "string") return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      `the header ${headerName.session} is not percent-encoded UTF-8`,
    );
  }
}
