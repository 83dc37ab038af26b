// Frames over one duplex stream: HELLO, requests and their answers, pushes, and the end of the connection.
// Knows nothing of what the frames mean.
import type { Duplex } from "node:stream";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { DirectSocket } from "./direct-socket.ts";
import { answerFrames, errorOfFrame, FrameReader, requestFrames, setRequest, type Frame } from "./frames.ts";
import { contractVersion, frameType } from "./numbers.ts";

/** What is done with the answers to one request. */
export interface AnswerHandler {
  /** Returns true after the last answer. */
  frame(frame: Frame): boolean;
  /** What came together has been told, unless one of it was the last answer. */
  drained?(): void;
  /** The connection is gone, and with it the rest of the answers. */
  lost(error: HoldfastError): void;
}

export interface FrameChannelOptions {
  readonly peer: "keeper" | "launcher";
  /** For frames that answer nothing, and for answers that nobody waits for any more. */
  readonly onPush: (frame: Frame) => void;
  /** Once, after every handler has been told. */
  readonly onClosed?: (error: HoldfastError) => void;
}

const mostRequest = 0xffff_ffff;

export class FrameChannel {
  readonly #stream: Duplex;
  readonly #options: FrameChannelOptions;
  readonly #reader = new FrameReader();
  readonly #handlers = new Map<number, AnswerHandler>();
  readonly #closed = Promise.withResolvers<HoldfastError>();
  #hello = Promise.withResolvers<Buffer>();
  #isGreeted = false;
  #peerMinor = 0;
  #lastRequest = 0;
  #isCorked = false;
  #error: HoldfastError | undefined;

  constructor(stream: Duplex, options: FrameChannelOptions) {
    this.#stream = stream;
    this.#options = options;
    // Nobody may be waiting for the HELLO when the connection fails.
    this.#hello.promise.catch(() => undefined);
    const receive = (chunk: Buffer): void => this.#receive(chunk);
    if (stream instanceof DirectSocket) stream.receive(receive);
    else stream.on("data", receive);
    stream.on("end", () => this.#fail(this.#lost("was closed by the other side")));
    stream.on("close", () => this.#fail(this.#lost("was closed")));
    stream.on("error", (error: Error) => this.#fail(this.#lost(`broke: ${error.message}`, error)));
    this.send(requestFrames.hello.encode(contractVersion));
  }

  get isOpen(): boolean {
    return this.#error === undefined;
  }

  /** Of the contract that the other side speaks; known once it has greeted. */
  get peerMinor(): number {
    return this.#peerMinor;
  }

  /** Resolves, once, with the reason why the connection is gone. */
  get closed(): Promise<HoldfastError> {
    return this.#closed.promise;
  }

  /**
   * The payload of the other side's HELLO. Closes the channel when it does not come in time.
   * @throws HoldfastError CONTRACT_MISMATCH, TOO_MANY_CLIENTS, or KEEPER_UNREACHABLE / LAUNCHER_UNREACHABLE
   */
  async greeted(timeoutMs: number, signal?: AbortSignal): Promise<Buffer> {
    const fail = (error: HoldfastError): void => this.#fail(error);
    const timer = setTimeout(() => {
      const code = this.#options.peer === "keeper" ? "KEEPER_UNREACHABLE" : "LAUNCHER_UNREACHABLE";
      const message = `The ${this.#options.peer} did not answer within ${timeoutMs} ms.`;
      fail(new HoldfastError(code, message, { details: { timeoutMs } }));
    }, timeoutMs);
    const abort = (): void => fail(this.#lost("was given up"));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await this.#hello.promise;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Sends a frame that has no answer. */
  send(encoded: Buffer): void {
    if (this.#error !== undefined) return;
    // Frames of the same turn of the event loop leave in one system call.
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#stream.uncork();
      });
    }
    this.#stream.write(encoded);
  }

  /** Sends a request whose answers go to the handler. Returns its number, for `forget`. */
  ask(encoded: Buffer, handler: AnswerHandler): number {
    if (this.#error !== undefined) {
      handler.lost(this.#error);
      return 0;
    }
    const request = this.#lastRequest === mostRequest ? 1 : this.#lastRequest + 1;
    this.#lastRequest = request;
    this.#handlers.set(request, handler);
    setRequest(encoded, request);
    this.send(encoded);
    return request;
  }

  forget(request: number): void {
    this.#handlers.delete(request);
  }

  /** A request with one answer. @throws HoldfastError what an ERROR frame says, or the loss of the connection */
  request(encoded: Buffer, signal?: AbortSignal): Promise<Frame> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error); // an AbortSignal's reason is an Error unless a caller made it otherwise
        return;
      }
      const abort = (): void => {
        this.forget(request);
        reject(signal?.reason as Error); // as above
      };
      const request = this.ask(encoded, {
        frame(frame) {
          signal?.removeEventListener("abort", abort);
          if (frame.type === frameType.error) reject(errorOfFrame(frame.payload));
          else resolve(frame);
          return true;
        },
        lost(error) {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  close(): void {
    this.#fail(this.#lost("was closed by this side"));
  }

  #receive(chunk: Buffer): void {
    if (this.#error !== undefined) return;
    try {
      let fed: AnswerHandler | undefined;
      for (const frame of this.#reader.push(chunk)) {
        const handler = this.#dispatch(frame);
        if (handler !== fed) fed?.drained?.();
        fed = handler;
      }
      fed?.drained?.();
    } catch (error) {
      const known = isHoldfastError(error)
        ? error
        : new HoldfastError("INTERNAL", String(error), { cause: error });
      this.#fail(known);
    }
  }

  /** The handler that waits for more. */
  #dispatch(frame: Frame): AnswerHandler | undefined {
    if (frame.type === frameType.error && frame.request === 0) throw errorOfFrame(frame.payload);
    if (!this.#isGreeted) {
      this.#greet(frame);
      return undefined;
    }
    const handler = this.#handlers.get(frame.request);
    if (handler === undefined) this.#options.onPush(frame);
    else if (handler.frame(frame)) this.#handlers.delete(frame.request);
    else return handler;
    return undefined;
  }

  #greet(frame: Frame): void {
    const { major, minor } =
      frame.type === frameType.hello ? answerFrames.hello.decode(frame.payload) : { major: 0, minor: 0 };
    if (major !== contractVersion.major) {
      const message = `The ${this.#options.peer} speaks contract ${major}.${minor}, this side ${contractVersion.major}.${contractVersion.minor}.`;
      throw new HoldfastError("CONTRACT_MISMATCH", message, { details: { major, minor } });
    }
    this.#isGreeted = true;
    this.#peerMinor = minor;
    this.#hello.resolve(frame.payload);
  }

  #lost(how: string, cause?: Error): HoldfastError {
    const code = this.#options.peer === "keeper" ? "KEEPER_GONE" : "LAUNCHER_UNREACHABLE";
    return new HoldfastError(
      code,
      `The connection to the ${this.#options.peer} ${how}.`,
      cause ? { cause } : {},
    );
  }

  #fail(error: HoldfastError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#stream.destroy();
    this.#hello.reject(error);
    const handlers = [...this.#handlers.values()];
    this.#handlers.clear();
    for (const handler of handlers) handler.lost(error);
    this.#closed.resolve(error);
    this.#options.onClosed?.(error);
  }
}
