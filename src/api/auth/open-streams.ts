// What is open for somebody who came in: it ends at once when they would no longer be let in.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import type { Identity } from "../../access/index.ts";
import { signedOutCode } from "../../protocol/access.ts";
import { longestTimerMs } from "../../protocol/timer.ts";

type Stream = ServerResponse | WebSocket | IncomingMessage;

interface Opened {
  readonly identity: Identity;
  readonly end: () => void;
  readonly timer: NodeJS.Timeout | undefined;
}

export class OpenStreams {
  readonly #open = new Map<Stream, Opened>();

  /** A request that is being answered: a stream of events may take days. */
  followAnswer(identity: Identity, response: ServerResponse): void {
    this.#follow(identity, response, () => response.destroy());
    response.once("close", () => this.forget(response));
  }

  /** A WebSocket that has been let in and does not exist yet. */
  expect(identity: Identity, request: IncomingMessage): void {
    this.#follow(identity, request, () => request.socket.destroy());
    request.socket.once("close", () => this.forget(request));
  }

  followSocket(socket: WebSocket, request: IncomingMessage): void {
    const expected = this.#open.get(request);
    if (expected === undefined) return;
    this.forget(request);
    const { identity } = expected;
    this.#follow(identity, socket, () => socket.close(signedOutCode, "UNAUTHENTICATED"));
    socket.once("close", () => this.forget(socket));
  }

  /** Not ended with the others: it tells their end. */
  forget(stream: Stream): void {
    clearTimeout(this.#open.get(stream)?.timer);
    this.#open.delete(stream);
  }

  /** All of one session or token. */
  end(credential: string): void {
    for (const opened of this.#open.values()) if (opened.identity.credential === credential) opened.end();
  }

  /** Of everybody of whom this is no longer true, or can no longer be told. */
  async endUnless(counts: (identity: Identity) => Promise<boolean>): Promise<void> {
    const ending = [...this.#open.values()].map(async ({ identity, end }) => {
      if (!(await counts(identity).catch(() => false))) end();
    });
    await Promise.all(ending);
  }

  #follow(identity: Identity, stream: Stream, end: () => void): void {
    const { expiresAt } = identity;
    const leftMs = expiresAt === null ? Infinity : Math.max(0, expiresAt - Date.now());
    const timer = leftMs > longestTimerMs ? undefined : setTimeout(end, leftMs).unref();
    this.#open.set(stream, { identity, end, timer });
  }
}
