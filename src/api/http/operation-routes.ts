// POST /v1/NAME for every verb of the operations table. The runtime validates and decides; here is only HTTP.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Runtime } from "../../operations/runtime.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import {
  operationNames,
  operations,
  type OperationInput,
  type OperationName,
} from "../../protocol/operations.ts";
import type { OpenRequests } from "./open-requests.ts";
import { callerOf } from "./caller.ts";

export interface OperationRoutesOptions {
  readonly runtime: Runtime;
  readonly openRequests: OpenRequests;
  /** Holds every answer against its schema. For tests: it costs more than the answer. */
  readonly validateOutput: boolean;
}

export const jsonType = "application/json; charset=utf-8";

export function addOperationRoutes(app: FastifyInstance, options: OperationRoutesOptions): void {
  for (const name of operationNames) {
    app.post(`/v1/${name}`, async (request, reply) => {
      const output = await callOperation(name, request, reply, options);
      // A string: Fastify has no schema of the answer to serialize it by.
      return await reply.type(jsonType).send(output);
    });
  }
}

async function callOperation(
  name: OperationName,
  request: FastifyRequest,
  reply: FastifyReply,
  { runtime, openRequests, validateOutput }: OperationRoutesOptions,
): Promise<string> {
  const caller = callerOf(request);
  // Of a connection by the network the kernel knows nobody.
  const connection = caller.who === undefined ? { connection: () => request.raw.socket } : {};
  // Nothing is known of the body's shape here: the runtime validates it.
  const input = (request.body ?? {}) as OperationInput<typeof name>;
  // A stop that is being answered must not be ended by itself.
  const mayEnd = operations[name].reads && name !== "daemon.stop";
  const output = await openRequests.run(reply.raw, mayEnd, (signal) => {
    return runtime.call(name, input, { ...caller, ...connection }, signal, () => answerIsOut(reply));
  });
  if (validateOutput) assertOutput(name, output);
  return JSON.stringify(output);
}

/** True when the kernel has the answer; false when the client went away first. */
function answerIsOut({ raw }: FastifyReply): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (raw.destroyed && !raw.writableFinished) resolve(false);
  raw.once("finish", () => resolve(true));
  raw.once("close", () => resolve(raw.writableFinished));
  return promise;
}

function assertOutput(name: OperationName, output: unknown): void {
  const checked = operations[name].output.safeParse(output);
  if (!checked.success) {
    throw new HoldfastError("INTERNAL", `the answer of ${name} is not what the table says`, {
      cause: checked.error,
    });
  }
}
