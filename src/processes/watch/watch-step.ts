// One step of watching: what was found, the push that comes of it and how things stand afterwards, ready to be stored.
import type { ExitRecord } from "../../protocol/exit.ts";
import type { NewNotice, ProcessRecord, WatchAdvance } from "../../store/index.ts";
import { isOwed, type WatchEnd } from "../end-notice.ts";
import { exitMatches } from "./exit-watch.ts";
import type { Found } from "./found.ts";
import type { Pushed, Pushing } from "./pushing.ts";
import { addGaps } from "./standing.ts";
import { progressOf, withoutWatches, type WatchBook } from "./watch-book.ts";
import { gapNotice } from "./watch-notices.ts";
import type { Gap } from "./worker-messages.ts";

export interface Step {
  /** How things stand once it is stored. */
  readonly book: WatchBook;
  readonly advance: WatchAdvance;
  /** From now on only the end is told. */
  readonly isTurnedOff: boolean;
}

export interface StepContext {
  readonly record: ProcessRecord;
  readonly pushing: Pushing;
}

export function findStep(before: WatchBook, found: Found, { record, pushing }: StepContext): Step {
  const at = Date.now();
  const moved = withoutWatches({ ...before, standing: found.move(before.standing) }, found.ended);
  const pushed = pushing.decide(moved.standing.push, found.matches, record);
  const book = {
    ...moved,
    standing: { ...moved.standing, push: pushed.state },
    gaps: addGaps(before.gaps, found.gaps),
  };
  const notices = [...found.notices, ...toldGap(before, found.gaps, record, at), ...pushed.notices];
  const advance = {
    at,
    processId: record.id,
    progress: progressOf(book),
    hits: found.hits,
    ended: found.ended,
    notices,
    ...breakerOf(pushed),
  };
  return { book, advance, isTurnedOff: pushed.isTurnedOff };
}

/** Only the first: a child that is always ahead would fill the outbox. */
function toldGap(before: WatchBook, gaps: readonly Gap[], record: ProcessRecord, at: number): NewNotice[] {
  const [first] = gaps;
  return first === undefined || before.gaps.length > 0 ? [] : [gapNotice(record, first, at)];
}

function breakerOf({ breaker }: Pushed): Pick<WatchAdvance, "breaker"> {
  return breaker === undefined ? {} : { breaker };
}

export interface EndOptions extends StepContext {
  readonly exit: ExitRecord;
  /** What there was no time to look at. */
  readonly gap: Gap | undefined;
}

/**
 * What goes into the commit of the end: nothing is pushed after it. Matches that are still held back are told with it, or
 * right before it where nobody is told the end.
 */
export function endStep(before: WatchBook, { record, pushing, exit, gap }: EndOptions): WatchEnd {
  const at = Date.now();
  const exitWatches = exitMatches(before.watches, exit);
  const owed = exitWatches.length > 0 || isOwed(record.notify, exit);
  const { push } = before.standing;
  const pushed: Pushed = owed
    ? { state: push, notices: [], isTurnedOff: false }
    : pushing.decideLast(push, record);
  const gaps = gap === undefined ? [] : [gap];
  const book = {
    ...before,
    standing: { ...before.standing, push: pushed.state },
    gaps: addGaps(before.gaps, gaps),
  };
  const heldBack = owed ? push.held.count : 0;
  return {
    owed,
    data: {
      ...(heldBack > 0 ? { heldBack } : {}),
      ...(exitWatches.length > 0 ? { watches: exitWatches } : {}),
    },
    advance: {
      at,
      processId: record.id,
      progress: progressOf(book),
      hits: exitWatches.map((watch) => ({ watch, count: 1, offset: null, segments: [] })),
      ended: before.watches.map(({ id }) => id),
      notices: [...toldGap(before, gaps, record, at), ...pushed.notices],
      ...breakerOf(pushed),
    },
  };
}
