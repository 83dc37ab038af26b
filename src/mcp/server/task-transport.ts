// A transport over which tasks are pushed: subscriptions are read before the SDK sees them, and what it tells of them before it goes out.
import {
  SUBSCRIPTION_ID_META_KEY,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { record } from "./client-facts.ts";
import type { TaskPushes } from "./task-pushes.ts";

export interface TaskTransportOptions {
  readonly pushes: TaskPushes;
  /** Somebody listens for this session. */
  readonly onListen: (session: string) => void;
}

export class TaskTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #wire: Transport;
  readonly #options: TaskTransportOptions;
  readonly #sessions = new Map<unknown, string>();
  /** Subscriptions that are being read. */
  readonly #reading = new Set<unknown>();

  constructor(wire: Transport, options: TaskTransportOptions) {
    this.#wire = wire;
    this.#options = options;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onclose = () => this.onclose?.();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onerror = (error) => this.onerror?.(error);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has fields, not events
    wire.onmessage = (message, extra) => this.#receive(message, extra);
  }

  async start(): Promise<void> {
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id =
      "method" in message ? record(record(message.params)["_meta"])[SUBSCRIPTION_ID_META_KEY] : undefined;
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (session === undefined) return await this.#wire.send(message, options);
    const told = await this.#options.pushes.outbound(message, session);
    for (const one of told) await this.#wire.send(one, options);
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const method = "method" in message ? message.method : undefined;
    if (method === "subscriptions/listen") {
      this.#read(message, extra).catch((error: unknown) => this.onerror?.(error as Error)); // only errors are thrown there
      return;
    }
    if (method === "notifications/cancelled") {
      const { requestId } = record(record(message)["params"]);
      this.#sessions.delete(requestId);
      this.#reading.delete(requestId);
    }
    this.onmessage?.(message, extra);
  }

  async #read(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): Promise<void> {
    const { id } = record(message);
    this.#reading.add(id);
    const listened = await this.#options.pushes.inbound(message);
    if (!this.#reading.delete(id)) return; // given up meanwhile
    if (listened !== undefined) {
      this.#sessions.set(id, listened.session);
      this.#options.onListen(listened.session);
    }
    this.onmessage?.(listened?.message ?? message, extra);
  }
}
