// What one viewer is sent, against its credit. A viewer that falls behind gets a new screen instead of what it missed: nobody waits for it, and it
// waits for nobody.
import type { Failure } from "../../protocol/thread-failure.ts";
import { untoldBytes, type ScreenReason, type ViewScreen } from "../../protocol/view-frames.ts";
import type { ViewEvent } from "./messages.ts";
import type { Drawn, Screen } from "./screen.ts";

/** A picture of the screen with its last thousand lines is hardly more, and shows what is now; what is queued shows what is over. */
const mostQueuedBytes = 64 * 1024;
const mostCreditBytes = 4 * 1024 * 1024;
// A title at most, as it is shown: text of one line.
const longestTitle = 256;
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export function shownTitle(title: string): string {
  return title.replaceAll(unseen, "").slice(0, longestTitle);
}

type Queued = Exclude<ViewEvent, { kind: "screen" | "failed" }>;

export class ViewFeed {
  readonly #send: (event: ViewEvent) => void;
  #credit: number;
  /** Sent, and not known to be drawn. */
  #unparsedBytes = 0;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #needsScreen: ScreenReason | undefined = "opened";
  #pictureAt = -Infinity;
  #hasEnded = false;

  constructor(credit: number, send: (event: ViewEvent) => void) {
    this.#credit = Math.min(credit, mostCreditBytes);
    this.#send = send;
  }

  addCredit(bytes: number): void {
    this.#unparsedBytes = Math.max(0, this.#unparsedBytes - bytes);
    this.#credit = Math.min(this.#credit + bytes, mostCreditBytes);
  }

  /** Can be sent something now, if there is something. */
  get isReady(): boolean {
    return this.#credit > 0 && (this.#needsScreen !== undefined || this.#queue.length > 0);
  }

  /** It was sent a screen before, and fell behind. */
  get isBehind(): boolean {
    return this.#needsScreen === "resynced";
  }

  /** It still draws what it was sent before. */
  get isBusy(): boolean {
    return this.#unparsedBytes > untoldBytes;
  }

  /** When it was sent its last picture. */
  get pictureAt(): number {
    return this.#pictureAt;
  }

  drawn({ offset, bytes }: Drawn): void {
    if (this.#needsScreen !== undefined) return; // the screen will show it
    if (bytes === undefined || this.#queuedBytes + bytes.length > mostQueuedBytes) this.renew("resynced");
    else if (bytes.length > 0) {
      this.#queue.push({ kind: "output", offset, bytes });
      this.#queuedBytes += bytes.length;
    }
  }

  tell(event: Exclude<Queued, { kind: "output" }>): void {
    if (event.kind === "end") this.#hasEnded = true;
    if (this.#needsScreen === undefined) this.#queue.push(event);
  }

  fail(failure: Failure): void {
    this.#send({ kind: "failed", failure });
  }

  /** Everything before is replaced by a screen. */
  renew(why: ScreenReason): void {
    // The most telling reason stays.
    if (this.#needsScreen === undefined || why === "trimmed") this.#needsScreen = why;
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  /** @param stateOf asked only when a screen is sent */
  flush(screen: Screen, stateOf: () => Uint8Array): void {
    while (this.isReady) {
      const why = this.#needsScreen;
      const event = why === undefined ? this.#queue.shift() : this.#screen(screen, why, stateOf());
      if (event === undefined) return;
      if (event.kind === "output") {
        this.#spend(event.bytes.length);
        this.#queuedBytes -= event.bytes.length;
      }
      this.#send(event);
    }
  }

  #spend(bytes: number): void {
    this.#credit -= bytes;
    this.#unparsedBytes += bytes;
  }

  #screen(screen: Screen, why: ScreenReason, state: Uint8Array): ViewEvent {
    this.#needsScreen = undefined;
    this.#pictureAt = performance.now();
    this.#spend(state.length);
    if (this.#hasEnded) this.#queue.push({ kind: "end", offset: screen.offset });
    const { missing } = screen;
    const described: ViewScreen = {
      kind: "screen",
      offset: screen.offset,
      ...screen.size,
      why,
      title: shownTitle(screen.title),
      ...(missing === undefined ? {} : { missing }),
      history: screen.oldestLine,
    };
    return { kind: "screen", screen: described, state };
  }
}
