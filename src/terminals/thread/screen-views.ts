// The viewers of one screen, and what they are told of it.
import type { Failure } from "../../protocol/thread-failure.ts";
import type { ScreenReason } from "../../protocol/view-frames.ts";
import type { ViewEvent } from "./messages.ts";
import type { Drawn, Screen } from "./screen.ts";
import type { ViewFeed } from "./view-feed.ts";

// Of a flood that a viewer cannot follow ten pictures in a second are seen; making more costs the other terminals.
const screenMs = 100;

export class ScreenViews {
  readonly #feeds = new Map<number, ViewFeed>();
  readonly #onDue: () => void;
  #title: string | undefined;
  #screenAt = -screenMs;
  #due: NodeJS.Timeout | undefined;

  /** @param onDue called when something can be sent that had to wait */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get isEmpty(): boolean {
    return this.#feeds.size === 0;
  }

  add(view: number, feed: ViewFeed, hasEnded: boolean): void {
    this.#feeds.set(view, feed);
    if (hasEnded) feed.tell({ kind: "end", offset: 0 });
  }

  remove(view: number): void {
    this.#feeds.delete(view);
    if (this.isEmpty) clearTimeout(this.#due);
  }

  drawn(drawn: Drawn): void {
    for (const feed of this.#feeds.values()) feed.drawn(drawn);
  }

  tell(event: Extract<ViewEvent, { kind: "resized" | "end" }>): void {
    for (const feed of this.#feeds.values()) feed.tell(event);
  }

  /** At once: there will be no screen. */
  fail(failure: Failure): void {
    for (const feed of this.#feeds.values()) feed.fail(failure);
  }

  renew(why: ScreenReason): void {
    for (const feed of this.#feeds.values()) feed.renew(why);
  }

  title(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    for (const feed of this.#feeds.values()) feed.tell({ kind: "title", title });
  }

  flush(screen: Screen): void {
    let state: Uint8Array | undefined;
    const now = performance.now();
    const isTooSoon = now - this.#screenAt < screenMs;
    for (const feed of this.#feeds.values()) {
      if (!feed.isReady) continue;
      if (feed.isBehind && isTooSoon) this.#flushLater(screenMs);
      else feed.flush(screen, () => (state ??= screen.state()));
    }
    if (state !== undefined) this.#screenAt = now;
  }

  #flushLater(delayMs: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(this.#onDue, delayMs);
    this.#due.unref();
  }
}
