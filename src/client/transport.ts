// What the client needs of the world: requests that are answered, and sockets that carry messages. One implementation
// for Node on a Unix socket (node/), one for browsers (browser.ts).

export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SocketRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportSocket {
  /** Queued until it can be sent; dropped when the connection is gone. */
  send(message: string | Uint8Array): void;
  /** The next message; undefined once the connection is gone. One caller at a time. */
  receive(): Promise<string | Uint8Array | undefined>;
  /** The code the other side closed it with; undefined while it is open, or when it was cut off. */
  readonly closedWith: number | undefined;
  close(): void;
}

export interface Transport {
  /**
   * @throws HoldfastError DAEMON_UNREACHABLE: the request cannot have been carried out; DAEMON_GONE: it may have been;
   *   or the signal's reason
   */
  request(request: TransportRequest): Promise<TransportAnswer>;
  /** @throws as `request`, or the error the daemon answered with */
  socket(request: SocketRequest): Promise<TransportSocket>;
  close(): void;
}
