// A transport that knows when an answer is out: what an answer tells counts as told only then.
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/server";

export class AnsweredTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #wire: Transport;
  readonly #waiting = new Map<string | number, PromiseWithResolvers<boolean>>();
  readonly #closed = Promise.withResolvers<void>();

  constructor(wire: Transport) {
    this.#wire = wire;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onclose = () => {
      for (const waiting of this.#waiting.values()) waiting.resolve(false);
      this.#waiting.clear();
      this.#closed.resolve();
      this.onclose?.();
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onerror = (error) => this.onerror?.(error);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onmessage = (message, extra) => this.onmessage?.(message, extra);
  }

  /** Resolves when the other side has gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Ask before the answer is sent. */
  answered(requestId: string | number): Promise<boolean> {
    const waiting = this.#waiting.get(requestId) ?? Promise.withResolvers<boolean>();
    this.#waiting.set(requestId, waiting);
    return waiting.promise;
  }

  async start(): Promise<void> {
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    try {
      await this.#wire.send(message, options);
      waiting?.resolve(true);
    } catch (error) {
      waiting?.resolve(false);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }
}
