// Secrets that are good once, for a short time: links, tickets of WebSockets, sign-ins that are under way elsewhere.
import { digestOf, newSecret } from "./secret.ts";

export interface OneTimeOptions {
  readonly lifeMs: number;
  /** Beyond it the oldest are forgotten: whoever asks for many harms nobody's memory. */
  readonly most: number;
  /** Milliseconds on a clock that does not jump. */
  readonly now?: () => number;
}

export interface Issued {
  readonly secret: string;
  /** Milliseconds since 1970, for people. */
  readonly expiresAt: number;
}

export class OneTime<Value> {
  readonly #options: OneTimeOptions;
  readonly #now: () => number;
  readonly #open = new Map<string, { readonly value: Value; readonly untilMs: number }>();

  constructor(options: OneTimeOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  issue(value: Value): Issued {
    const secret = newSecret();
    const { lifeMs, most } = this.#options;
    for (const [digest, { untilMs }] of this.#open) {
      // In the order they were made: the first that counts ends the search.
      if (untilMs >= this.#now() && this.#open.size < most) break;
      this.#open.delete(digest);
    }
    this.#open.set(digestOf(secret), { value, untilMs: this.#now() + lifeMs });
    return { secret, expiresAt: Date.now() + lifeMs };
  }

  /** Once, up to the very end of its time. */
  take(secret: string): Value | undefined {
    const digest = digestOf(secret);
    const found = this.#open.get(digest);
    this.#open.delete(digest);
    return found !== undefined && this.#now() <= found.untilMs ? found.value : undefined;
  }
}
