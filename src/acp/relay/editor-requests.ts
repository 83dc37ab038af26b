// Requests of our own to the editor, among those of the agent.
import { isFields, messageText, type Fields, type Message } from "./message.ts";

const answerTimeoutMs = 5_000;

export class EditorRequests {
  readonly #send: (text: string) => Promise<void>;
  /** No agent's id is like this. */
  readonly #prefix = `holdfast-${crypto.randomUUID()}`;
  readonly #waiting = new Map<string, (answer: Fields | undefined) => void>();
  #count = 0;

  constructor(send: (text: string) => Promise<void>) {
    this.#send = send;
  }

  /** Undefined when the editor refuses, or does not answer in time. */
  async ask(
    method: string,
    params: Fields,
    timeoutMs: number = answerTimeoutMs,
  ): Promise<Fields | undefined> {
    const id = `${this.#prefix}-${++this.#count}`;
    const { promise, resolve } = Promise.withResolvers<Fields | undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    this.#waiting.set(id, resolve);
    try {
      await this.#send(messageText({ jsonrpc: "2.0", id, method, params }));
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Is it an answer to one of ours, also to one nobody waits for any more? Then it is no business of the agent. */
  take({ method, fields }: Message): boolean {
    const { id, result } = fields;
    if (method !== undefined || typeof id !== "string" || !id.startsWith(this.#prefix)) return false;
    this.#waiting.get(id)?.(isFields(result) ? result : undefined);
    return true;
  }

  close(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}
