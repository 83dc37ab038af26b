// Notices for one reader, by cursor: first those that are there, then each as it comes. What it reads stays owed: a reader that wants
// to take care of notices claims them.
import type { NoticeWithText } from "../protocol/notices.ts";
import type { NoticeQuery } from "../store/index.ts";
import type { NotificationContext } from "./context.ts";
import { describedAtOnce, describeNotices } from "./describe-notice.ts";

const pageSize = 100;

export interface NoticeFeedOptions {
  readonly query: NoticeQuery;
  /** The last cursor the reader has seen. */
  readonly after: number;
  readonly signal: AbortSignal;
}

export async function* noticeFeed(
  context: NotificationContext,
  { query, after, signal }: NoticeFeedOptions,
): AsyncGenerator<NoticeWithText, void, undefined> {
  const { outbox, processes } = context;
  let cursor = after;
  let changed = Promise.withResolvers<void>();
  const wake = (): void => changed.resolve();
  const stop = outbox.listen(wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      changed = Promise.withResolvers<void>();
      const page = await processes.store.notices.list({ ...query, after: cursor, limit: pageSize });
      let isHeld = false;
      for (let first = 0; first < page.length && !isHeld; first += describedAtOnce) {
        // Together: each takes several reads of files, and among many starts and ends every one of those waits its turn.
        for (const notice of await describeNotices(context, page.slice(first, first + describedAtOnce))) {
          // Its session hears it by an answer at this moment; what comes of that is known as soon as the answer is out.
          isHeld = outbox.isHeld(notice);
          if (isHeld) break;
          yield notice;
          ({ cursor } = notice);
        }
      }
      if (isHeld || page.length < pageSize) await changed.promise;
    }
  } finally {
    stop();
    signal.removeEventListener("abort", wake);
  }
}
