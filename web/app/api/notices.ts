// Notices, newest first: those that are there, then each as it comes. Reading settles nothing: a person acknowledges.
import type { NoticeChange, NoticeWithText } from "#protocol/notices.ts";
import { client } from "~/api/client.ts";
import { createStore } from "~/util/store.ts";

/** Undefined until the first list is here. */
export const notices = createStore<readonly NoticeWithText[] | undefined>(undefined);

const mostShown = 500;

/**
 * Follows the daemon until the signal fires; tells each new notice once. What was asked before `onBegin` may have missed a change:
 * from there on every one is told.
 */
export async function followNotices(
  signal: AbortSignal,
  { onBegin, onNew }: { readonly onBegin: () => void; readonly onNew: (notice: NoticeWithText) => void },
): Promise<void> {
  const { newest } = await client.notifications.list({ limit: 1 }, { signal });
  onBegin();
  await loadNotices(newest, signal);
  // A list that cannot be asked for now is asked for with the next connection, or when somebody comes to the page.
  const onReopen = (): void => void refreshNotices(signal).catch(() => undefined);
  const followed = { after: newest, recorded: true, onChange: settle, onReopen, signal };
  for await (const notice of client.notices(followed)) {
    notices.set(withNotice(notices.get() ?? [], notice));
    onNew(notice);
  }
}

/** What became of them while nobody told. Nothing to do before the first list. */
export async function refreshNotices(signal: AbortSignal): Promise<void> {
  const newest = notices.get()?.[0]?.cursor;
  if (newest !== undefined) await loadNotices(newest, signal);
}

async function loadNotices(newest: number, signal: AbortSignal): Promise<void> {
  const after = Math.max(0, newest - mostShown);
  const { notices: listed, cursor } = await client.notifications.list(
    { after, limit: mostShown },
    { signal },
  );
  // Those that came meanwhile stay.
  const newer = (notices.get() ?? []).filter((notice) => notice.cursor > cursor);
  notices.set([...newer, ...listed.toReversed()]);
}

export function withNotice(
  known: readonly NoticeWithText[],
  notice: NoticeWithText,
): readonly NoticeWithText[] {
  return [notice, ...known.filter(({ id }) => id !== notice.id)].slice(0, mostShown);
}

export async function acknowledge(ids: readonly string[]): Promise<void> {
  await client.notifications.acknowledge({ notices: [...ids] });
}

/** Somebody took care of some, here or elsewhere, or they are owed again. */
function settle(changes: readonly NoticeChange[]): void {
  const changed = new Map(changes.map((change) => [change.id, change]));
  notices.set((notices.get() ?? []).map((notice) => ({ ...notice, ...changed.get(notice.id) })));
}
