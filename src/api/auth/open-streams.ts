// What is open for whoever came in by a session or token: it ends with that, at once.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import type { Identity } from "../../access/index.ts";
import { signedOutCode } from "../../protocol/access.ts";

// Node fires a timer of more than 2^31 - 1 ms at once.
const mostTimerMs = 2_147_483_647;

interface Opened {
  readonly credential: string | null;
  readonly end: () => void;
  readonly timer: NodeJS.Timeout | undefined;
}

export class OpenStreams {
  readonly #open = new Map<ServerResponse | WebSocket, Opened>();
  readonly #upgrades = new WeakMap<IncomingMessage, Identity>();

  /** A request that is being answered: a stream of events may take days. */
  followAnswer(identity: Identity, response: ServerResponse): void {
    this.#follow(identity, response, () => response.destroy());
    response.once("close", () => this.forget(response));
  }

  /** A WebSocket that has been let in and does not exist yet. */
  expect(identity: Identity, request: IncomingMessage): void {
    this.#upgrades.set(request, identity);
  }

  followSocket(socket: WebSocket, request: IncomingMessage): void {
    const identity = this.#upgrades.get(request);
    if (identity === undefined) return;
    this.#follow(identity, socket, () => socket.close(signedOutCode, "UNAUTHENTICATED"));
    socket.once("close", () => this.forget(socket));
  }

  /** Not ended with the others: it tells their end. */
  forget(stream: ServerResponse | WebSocket): void {
    clearTimeout(this.#open.get(stream)?.timer);
    this.#open.delete(stream);
  }

  /** All of one session or token. */
  end(credential: string): void {
    for (const opened of this.#open.values()) if (opened.credential === credential) opened.end();
  }

  #follow({ credential, expiresAt }: Identity, stream: ServerResponse | WebSocket, end: () => void): void {
    const leftMs = expiresAt === null ? Infinity : Math.max(0, expiresAt - Date.now());
    const timer = leftMs > mostTimerMs ? undefined : setTimeout(end, leftMs).unref();
    this.#open.set(stream, { credential, end, timer });
  }
}
