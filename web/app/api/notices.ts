// Notices, newest first: those that are there, then each as it comes. Reading settles nothing: a person acknowledges.
import type { NoticeChange, NoticeWithText } from "#protocol/notices.ts";
import { client } from "~/api/client.ts";
import { createStore } from "~/util/store.ts";

/** Undefined until the first list is here. */
export const notices = createStore<readonly NoticeWithText[] | undefined>(undefined);

const mostShown = 500;

export interface NoticeListeners {
  /** What was asked before may have missed a change: from here on every one is told. */
  readonly onBegin: () => void;
  /** Each new notice, once. */
  readonly onNew: (notice: NoticeWithText) => void;
  /** The list cannot be asked for; the next connection asks again. */
  readonly onProblem: (error: unknown) => void;
}

/** Follows the daemon until the signal fires. */
export async function followNotices(signal: AbortSignal, listeners: NoticeListeners): Promise<void> {
  const { newest } = await client.notifications.list({ limit: 1 }, { signal });
  listeners.onBegin();
  // With each connection, the first as well: what became of notices while there was none is told nowhere else.
  const onOpen = (): void => void loadNotices(newest, signal).catch(listeners.onProblem);
  const followed = { after: newest, recorded: true, onChange: settle, onOpen, signal };
  for await (const notice of client.notices(followed)) {
    notices.set(withNotice(notices.get() ?? [], notice));
    listeners.onNew(notice);
  }
}

/** Without those that were removed since. Nothing to do before the first list. */
export async function refreshNotices(signal: AbortSignal): Promise<void> {
  const newest = notices.get()?.[0]?.cursor;
  if (newest !== undefined) await loadNotices(newest, signal);
}

/** What came about while a list was under way: that may be older. */
const meanwhile = new Set<NoticeChange[]>();

/** @param least there are notices up to this cursor at least */
async function loadNotices(least: number, signal: AbortSignal): Promise<void> {
  const newest = notices.get()?.[0]?.cursor ?? least;
  const changes: NoticeChange[] = [];
  meanwhile.add(changes);
  try {
    const query = { after: Math.max(0, newest - mostShown), limit: mostShown };
    const { notices: listed, cursor } = await client.notifications.list(query, { signal });
    // Those that came meanwhile stay, and what they have overtaken goes.
    const newer = (notices.get() ?? []).filter((notice) => notice.cursor > cursor);
    notices.set(withChanges(newer.reduceRight(withNotice, listed.toReversed()), changes));
  } finally {
    meanwhile.delete(changes);
  }
}

export function withNotice(
  known: readonly NoticeWithText[],
  notice: NoticeWithText,
): readonly NoticeWithText[] {
  const left = known.filter((other) => other.id !== notice.id && !isOvertaken(other, notice));
  return [notice, ...left].slice(0, mostShown);
}

/** Of how it goes on, only the newest counts, and none once it has ended; the store has removed them with the newer one. */
function isOvertaken(known: NoticeWithText, newer: NoticeWithText): boolean {
  return (
    known.kind === "process.progress" &&
    known.state === "pending" &&
    known.processId === newer.processId &&
    (newer.kind === "process.progress" || newer.kind === "process.ended")
  );
}

function withChanges(
  known: readonly NoticeWithText[],
  changes: readonly NoticeChange[],
): readonly NoticeWithText[] {
  const changed = new Map(changes.map((change) => [change.id, change]));
  return known.map((notice) => ({ ...notice, ...changed.get(notice.id) }));
}

export async function acknowledge(ids: readonly string[]): Promise<void> {
  const { results } = await client.notifications.acknowledge({ notices: [...ids] });
  // Overtaken by a newer one, or too old: there is nothing left to take care of.
  const gone = new Set(results.filter(({ outcome }) => outcome === "not_found").map(({ id }) => id));
  if (gone.size > 0) notices.set((notices.get() ?? []).filter(({ id }) => !gone.has(id)));
}

/** Somebody took care of some, here or elsewhere, or they are owed again. */
function settle(changes: readonly NoticeChange[]): void {
  for (const list of meanwhile) list.push(...changes);
  notices.set(withChanges(notices.get() ?? [], changes));
}
