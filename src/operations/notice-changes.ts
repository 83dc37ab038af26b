// What becomes of notices while somebody reads them. A notice is read, put in words and sent; what changed on that way goes with it, because it was
// told before the reader knew the notice.
import type { NoticeChange } from "../protocol/notices.ts";
import type { Notices } from "../store/index.ts";

type Tell = (changes: readonly NoticeChange[]) => void;

// As many as can be on their way, and far more.
const mostRemembered = 1_000;

export class NoticeChanges {
  readonly #late = new Map<string, NoticeChange>();
  readonly stop: () => void;

  constructor(notices: Pick<Notices, "listen">, tell: Tell | undefined) {
    this.stop = notices.listen((stored) => {
      const changes = stored.map(({ id, state, settledBy }) => ({ id, state, acknowledgedBy: settledBy }));
      for (const change of changes) this.#remember(change);
      tell?.(changes);
    });
  }

  applied<Read extends NoticeChange>(notice: Read): Read {
    return { ...notice, ...this.#late.get(notice.id) };
  }

  #remember(change: NoticeChange): void {
    this.#late.delete(change.id); // to the end of the order
    this.#late.set(change.id, change);
    const [oldest] = this.#late.keys();
    if (this.#late.size > mostRemembered && oldest !== undefined) this.#late.delete(oldest);
  }
}
