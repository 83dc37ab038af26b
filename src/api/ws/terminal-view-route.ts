// GET /v1/terminal/view?id=…: one terminal as a viewer sees it, against the viewer's credit; what it types, the other way, while it has the
// keyboard. The messages: src/protocol/view-frames.ts.
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { OpenView, Runtime, ViewTold } from "../../operations/runtime.ts";
import type { ErrorBody } from "../../protocol/control.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { processReferenceSchema } from "../../protocol/ids.ts";
import { closeCode } from "../../protocol/live-frames.ts";
import type { Caller } from "../../protocol/operations.ts";
import { ofFailure } from "../../protocol/thread-failure.ts";
import { encodeViewState, type ViewMessage } from "../../protocol/view-frames.ts";
import { callerOf } from "../http/caller.ts";
import { errorBodyOf, type ReportError } from "../http/error-answer.ts";
import { LiveInput } from "./live-input.ts";
import { outputFrame } from "./output-frame.ts";
import { PacedSocket } from "./paced-socket.ts";
import { readQuery, refuseWithoutUpgrade } from "./query.ts";

// The credit bounds what is under way; this is for nothing but a client that gives credit and does not read.
const queueLimitBytes = 8 * 1024 * 1024;

const number = z.coerce.number();
const querySchema = z.object({
  id: processReferenceSchema,
  credit: number.int().nonnegative().default(0),
  columns: number.optional(),
  rows: number.optional(),
  name: z.string().max(256).default(""),
  writer: z
    .string()
    .regex(/^[0-9a-f]{16}$/, "16 hexadecimal digits")
    .optional(),
  keyboard: z.enum(["0", "1"]).default("0"),
  /** For browsers, which cannot send the header. */
  session: z.string().optional(),
});

const requestSchema = z.object({
  credit: z.int().positive().optional(),
  size: z.object({ columns: z.number(), rows: z.number() }).optional(),
  keyboard: z.enum(["take", "release"]).optional(),
});

export interface TerminalViewRouteOptions {
  readonly runtime: Runtime;
  readonly report: ReportError;
}

export function addTerminalViewRoute(
  app: FastifyInstance,
  { runtime, report }: TerminalViewRouteOptions,
): void {
  app.route({
    method: "GET",
    url: "/v1/terminal/view",
    handler: refuseWithoutUpgrade,
    wsHandler: (socket, request) => {
      const paced = new PacedSocket(socket, queueLimitBytes);
      const tell = (error: unknown): ErrorBody => errorBodyOf(error, request.id, report);
      const refuse = (error: unknown): void => closeWith(paced, { kind: "error", error: tell(error) });
      try {
        const query = readQuery(querySchema, request.query);
        const caller = callerOf(request, query.session);
        const connection = request.raw.socket;
        serve({ socket, connection, paced, query, caller, tell, refuse, runtime }).catch(refuse);
      } catch (error) {
        refuse(error);
      }
    },
  });
}

interface ViewConnection {
  readonly socket: WebSocket;
  /** What the WebSocket runs on. */
  readonly connection: Socket;
  readonly paced: PacedSocket;
  readonly runtime: Runtime;
  readonly query: z.output<typeof querySchema>;
  readonly caller: Caller;
  readonly tell: (error: unknown) => ErrorBody;
  readonly refuse: (error: unknown) => void;
}

async function serve(connection: ViewConnection): Promise<void> {
  const { socket, paced, query, caller, runtime } = connection;
  // Whatever comes before the view is open is read then.
  socket.pause();
  const { id, name, credit, columns, rows, writer } = query;
  const opening = {
    id,
    name,
    credit,
    size: { columns, rows },
    writer,
    wantsKeyboard: query.keyboard === "1",
  };
  const view = await runtime.view({ ...opening, onTold: (told) => send(connection, told) }, caller);
  paced.signal.addEventListener("abort", () => view.close(), { once: true });
  if (paced.signal.aborted) view.close();
  const input = new LiveInput({
    ...connection,
    write: (typed) => view.type(typed),
    instruct: (message) => obey(view, message),
  });
  socket.on("message", (data, isBinary) => input.receive(data as Buffer, isBinary)); // ws gives a Buffer unless told otherwise
  socket.resume();
}

function send({ paced, connection, refuse }: ViewConnection, told: ViewTold): void {
  if (!paced.hasRoom) {
    paced.close(closeCode.tooSlow, "CLIENT_TOO_SLOW");
    return;
  }
  switch (told.kind) {
    case "screen":
      paced.sendJson(told.screen);
      paced.send(encodeViewState({ offset: told.screen.offset, bytes: told.state }));
      break;
    case "output":
      paced.sendFrame(
        connection,
        outputFrame({ stream: "stdout", at: 0, offset: told.offset, bytes: told.bytes }),
      );
      break;
    case "failed":
      refuse(ofFailure(told.failure));
      break;
    case "closed":
      closeWith(paced, told);
      break;
    default:
      paced.sendJson(told);
  }
}

/** @throws HoldfastError INVALID_ARGUMENT, ROLE_REQUIRED */
function obey(view: OpenView, message: unknown): void {
  const { success, data } = requestSchema.safeParse(message);
  if (!success)
    throw new HoldfastError("INVALID_ARGUMENT", "the message is neither credit, size nor keyboard");
  if (data.credit !== undefined) view.addCredit(data.credit);
  if (data.size !== undefined) view.setSize(data.size);
  if (data.keyboard === "take") view.takeKeyboard();
  if (data.keyboard === "release") view.releaseKeyboard();
}

function closeWith(paced: PacedSocket, last: Extract<ViewMessage, { kind: "error" | "closed" }>): void {
  if (!paced.isOpen) return;
  paced.sendJson(last);
  paced.close(closeCode.normal, "");
}
