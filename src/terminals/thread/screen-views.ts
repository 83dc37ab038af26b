// The viewers of one screen, and what they are told of it.
import type { Failure } from "../../protocol/thread-failure.ts";
import type { ScreenReason } from "../../protocol/view-frames.ts";
import type { ViewEvent } from "./messages.ts";
import type { Drawn, Screen } from "./screen.ts";
import type { ViewFeed } from "./view-feed.ts";

// A viewer that cannot follow a flood is sent pictures of it: the next one when it has drawn the last, but not more than one in a frame of its
// display, and none while the other terminals have not had their share of the thread.
const frameMs = 17;
const shareOfThread = 0.2;
// One that does not tell what it has drawn until that is more.
const untoldMs = 100;

export class ScreenViews {
  readonly #feeds = new Map<number, ViewFeed>();
  readonly #onDue: () => void;
  #title: string | undefined;
  /** Of the last picture. */
  #madeAt = -untoldMs;
  #costMs = 0;
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
    let dueMs: number | undefined;
    for (const feed of this.#feeds.values()) {
      if (!feed.isReady) continue;
      const waitMs = feed.isBehind ? this.#pauseMs(feed, state !== undefined) : 0;
      if (waitMs > 0) dueMs = Math.min(waitMs, dueMs ?? waitMs);
      else feed.flush(screen, () => (state ??= this.#picture(screen)));
    }
    clearTimeout(this.#due);
    if (dueMs === undefined) return;
    this.#due = setTimeout(this.#onDue, dueMs);
    this.#due.unref();
  }

  #picture(screen: Screen): Uint8Array {
    const beganMs = performance.now();
    const state = screen.state();
    this.#madeAt = performance.now();
    this.#costMs = this.#madeAt - beganMs;
    return state;
  }

  /** Until a viewer that is behind may be sent a picture, which may have been made for another one just now. */
  #pauseMs(feed: ViewFeed, isMade: boolean): number {
    const makingMs = isMade ? 0 : Math.min(untoldMs, Math.max(frameMs, this.#costMs / shareOfThread));
    const dueAt = Math.max(this.#madeAt + makingMs, feed.isBusy ? feed.pictureAt + untoldMs : 0);
    return dueAt - performance.now();
  }
}
