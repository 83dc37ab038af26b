// GET /v1/process.output/live?id=…&from=N&credit=N&writer=…: the output of one process as it comes, against the
// client's credit, and its input the other way. The messages: src/protocol/live-frames.ts.
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { LiveOutputOptions, Runtime } from "../../operations/runtime.ts";
import type { ErrorBody } from "../../protocol/control.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { closeCode, type InputFrame } from "../../protocol/live-frames.ts";
import { processReferenceSchema } from "../../protocol/ids.ts";
import type { Caller } from "../../protocol/operations.ts";
import { callerOf } from "../http/caller.ts";
import { errorBodyOf, type ReportError } from "../http/error-answer.ts";
import { Credit } from "./credit.ts";
import { LiveInput } from "./live-input.ts";
import { OutputSender } from "./output-sender.ts";
import { PacedSocket } from "./paced-socket.ts";
import { readQuery, refuseWithoutUpgrade } from "./query.ts";

// Of one client, beyond what the kernel holds: enough to keep the socket busy, little enough for hundreds of viewers.
const queueLimitBytes = 256 * 1024;

const count = z.coerce.number().int().nonnegative();
const querySchema = z.object({
  id: processReferenceSchema,
  from: count.optional(),
  credit: count.default(0),
  writer: z
    .string()
    .regex(/^[0-9a-f]{16}$/, "16 hexadecimal digits")
    .optional(),
  /** For browsers, which cannot send the header. */
  session: z.string().optional(),
});

export interface LiveOutputRouteOptions {
  readonly runtime: Runtime;
  readonly report: ReportError;
}

export function addLiveOutputRoute(app: FastifyInstance, options: LiveOutputRouteOptions): void {
  app.route({
    method: "GET",
    url: "/v1/process.output/live",
    handler: refuseWithoutUpgrade,
    wsHandler: (socket, request) => {
      const paced = new PacedSocket(socket, queueLimitBytes);
      const tell = (error: unknown): ErrorBody => errorBodyOf(error, request.id, options.report);
      try {
        const query = readQuery(querySchema, request.query);
        const caller = callerOf(request, query.session);
        const connection = request.raw.socket;
        void serve({ socket, connection, paced, query, caller, tell, runtime: options.runtime });
      } catch (error) {
        closeWithError(paced, tell(error));
      }
    },
  });
}

interface LiveRequest {
  readonly socket: WebSocket;
  readonly connection: Socket;
  readonly paced: PacedSocket;
  readonly runtime: Runtime;
  readonly query: z.output<typeof querySchema>;
  readonly caller: Caller;
  readonly tell: (error: unknown) => ErrorBody;
}

async function serve(request: LiveRequest): Promise<void> {
  const { socket, paced, runtime, query, caller } = request;
  const credit = new Credit(query.credit, paced.signal);
  const input: LiveInput = new LiveInput({
    ...request,
    write: (typed) => write(request, typed),
    instruct: (message) => instruct(message, request, { credit, input }),
  });
  socket.on("message", (data, isBinary) => input.receive(data as Buffer, isBinary)); // ws gives a Buffer unless told otherwise
  const options: LiveOutputOptions = {
    caller,
    id: query.id,
    ...(query.from === undefined ? {} : { from: query.from }),
    signal: paced.signal,
  };
  const sender = new OutputSender({ ...request, credit });
  try {
    await credit.available();
    await runtime.followOutput(options, (events) => sender.send(events));
    paced.close(closeCode.normal, "");
  } catch (error) {
    // The client went away: its end is the reason, and nobody is there to be told.
    if (paced.isOpen) closeWithError(paced, request.tell(error));
  }
}

/** @throws HoldfastError INVALID_ARGUMENT, and as `process.write` */
async function write(
  { runtime, query, caller, paced }: LiveRequest,
  { sequence, bytes }: InputFrame,
): Promise<number> {
  const { id, writer } = query;
  if (writer === undefined) throw new HoldfastError("INVALID_ARGUMENT", "the address names no writer");
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  const request = { id, parts: [{ base64 }], writer: { id: writer, sequence } };
  const { next } = await runtime.call("process.write", request, caller, paced.signal);
  return next;
}

const instructionSchema = z.object({
  credit: z.int().positive().optional(),
  resize: z.object({ columns: z.number(), rows: z.number() }).optional(),
});

function instruct(
  message: unknown,
  { runtime, query, caller, paced }: LiveRequest,
  { credit, input }: { readonly credit: Credit; readonly input: LiveInput },
): void {
  const { success, data } = instructionSchema.safeParse(message);
  if (!success) throw new HoldfastError("INVALID_ARGUMENT", "the message is neither credit nor resize");
  if (data.credit !== undefined) credit.add(data.credit);
  const { resize } = data;
  if (resize === undefined) return;
  input.inOrder(0, {}, async () => {
    await runtime.call("process.resize", { id: query.id, ...resize }, caller, paced.signal);
  });
}

function closeWithError(paced: PacedSocket, error: ErrorBody): void {
  paced.sendJson({ kind: "error", error });
  paced.close(closeCode.normal, "");
}
