// One HTTP request and its answer on a connection nobody else uses meanwhile.
import type { Socket } from "node:net";
import { HoldfastError } from "../../protocol/errors.ts";
import type { TransportRequest } from "../transport.ts";
import { HttpResponseParser, type HttpResponse } from "./http-response-parser.ts";

export interface Exchanged {
  readonly response: HttpResponse;
  /** What came after the answer; for an upgrade, the first bytes of the other protocol. */
  readonly rest: Uint8Array;
}

/** The text of a request. @throws HoldfastError INVALID_ARGUMENT for a header that would break out of its line */
export function requestText({ method, path, headers, body }: TransportRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: holdfast\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e]/.test(value)) {
      throw new HoldfastError("INVALID_ARGUMENT", `the header ${name} has characters HTTP does not carry`);
    }
    text += `${name}: ${value}\r\n`;
  }
  if (body === undefined) return `${text}\r\n`;
  return `${text}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/**
 * Leaves the socket open and without listeners of its own; paused after an upgrade. Destroys it when it rejects.
 * @throws HoldfastError DAEMON_UNREACHABLE when the daemon cannot have read the whole request, DAEMON_GONE when it may
 *   have; or the signal's reason
 */
export function exchange(socket: Socket, request: string, signal?: AbortSignal): Promise<Exchanged> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const parser = new HttpResponseParser();
  let isSent = false;
  let isUnread = false;
  const settle = (response: HttpResponse): void => {
    if (response.status === 101) socket.pause();
    resolve({ response, rest: parser.rest() });
  };
  const receive = (chunk: Buffer): void => {
    try {
      const response = parser.push(chunk);
      if (response !== undefined) settle(response);
    } catch (error) {
      socket.destroy();
      reject(error);
    }
  };
  const closed = (): void => {
    const response = parser.end();
    if (response === undefined) reject(lost((isSent && !isUnread) || parser.hasBegun));
    else settle(response);
  };
  // Linux resets a Unix connection when it is closed with bytes that its other end has not read, and only then. One that
  // was read to its last byte just ends.
  const failed = (error: NodeJS.ErrnoException): void => {
    isUnread = process.platform === "linux" && error.code === "ECONNRESET";
  };
  const abort = (): void => {
    socket.destroy();
    reject(signal?.reason);
  };
  socket.on("data", receive);
  socket.on("error", failed);
  // Not `end` or `error`: by the time of `close` it is known whether the write went through.
  socket.on("close", closed);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  else if (socket.destroyed) closed();
  else {
    // The kernel hands a Unix socket's bytes over as it takes them: without success here, the daemon lacks the end of
    // the request and has not begun to work on it.
    socket.write(request, (error) => {
      isSent = error === undefined || error === null;
    });
  }
  return promise.finally(() => {
    socket.off("data", receive);
    socket.off("error", failed);
    socket.off("close", closed);
    signal?.removeEventListener("abort", abort);
  });
}

function lost(isSent: boolean): HoldfastError {
  if (isSent)
    return new HoldfastError("DAEMON_GONE", "the connection to the daemon was lost before its answer");
  return new HoldfastError(
    "DAEMON_UNREACHABLE",
    "the connection to the daemon was closed before the request was sent",
  );
}
