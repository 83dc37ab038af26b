// The messages of a stream, through any number of connections. Where to go on is the reader's to say: the path is asked
// for anew each time.
import { HoldfastError } from "../protocol/errors.ts";
import { closeCode } from "../protocol/live-frames.ts";
import { isLoss, Outage, type OutageOptions } from "./outage.ts";
import type { TransportSocket } from "./transport.ts";

/** What a stream needs of its client. */
export interface StreamDoor {
  readonly open: (path: string, signal?: AbortSignal) => Promise<TransportSocket>;
  readonly outage: OutageOptions;
}

export interface ResumedMessagesOptions {
  readonly path: () => string;
  readonly onOpen?: (socket: TransportSocket) => void;
  readonly signal?: AbortSignal | undefined;
}

// A connection that lived this long was a good one, even if nothing happened on it.
const goodConnectionMs = 1_000;

/** Has no end of its own: the reader leaves. @throws what the daemon answers, DAEMON_UNREACHABLE, the signal's reason */
export async function* resumedMessages(
  door: StreamDoor,
  { path, onOpen, signal }: ResumedMessagesOptions,
): AsyncGenerator<string | Uint8Array, never, undefined> {
  const outage = new Outage(door.outage);
  let mayStart = true;
  for (;;) {
    const opened = await openOrFailure(door, path(), signal);
    let failure: HoldfastError;
    if (opened instanceof HoldfastError) failure = opened;
    else {
      outage.opened();
      onOpen?.(opened);
      const openedAt = performance.now();
      yield* messagesOf(opened, outage, signal);
      if (performance.now() - openedAt > goodConnectionMs) outage.over();
      // A daemon that said good-bye was stopped by somebody: a reader does not bring it back.
      mayStart = opened.closedWith !== closeCode.goingAway;
      failure = new HoldfastError("DAEMON_GONE", "the stream was cut off");
    }
    await outage.afterFailure(failure, mayStart, signal);
  }
}

async function openOrFailure(
  door: StreamDoor,
  path: string,
  signal: AbortSignal | undefined,
): Promise<TransportSocket | HoldfastError> {
  try {
    return await door.open(path, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isLoss(error)) return error;
    throw error;
  }
}

async function* messagesOf(
  socket: TransportSocket,
  outage: Outage,
  signal: AbortSignal | undefined,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const abort = (): void => socket.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      const message = await socket.receive();
      signal?.throwIfAborted();
      if (message === undefined) return;
      outage.over();
      yield message;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    socket.close();
  }
}
