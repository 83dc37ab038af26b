// One step of watching: what was found, the push that comes of it and how things stand afterwards, ready to be stored.
import type { ExitRecord } from "../../protocol/exit.ts";
import type { NewNotice, ProcessRecord, WatchAdvance } from "../../store/index.ts";
import { endNotices, isOwed, type WatchEnd } from "../end-notice.ts";
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

export interface SettledEnd extends WatchEnd {
  readonly advance: WatchAdvance;
}

/**
 * What goes into the commit of the end: nothing is pushed after it. Matches that are still held back are told with it, or
 * right before it where nobody is told the end.
 */
export function endStep(before: WatchBook, options: EndOptions): SettledEnd {
  const { record, pushing, exit } = options;
  const owed = isOwed(record.notify, exit) || exitMatches(before.watches, exit).length > 0;
  const { push } = before.standing;
  const pushed = owed ? { state: push, notices: [], isTurnedOff: false } : pushing.decideLast(push, record);
  return endWith(before, options, { owed, pushed });
}

/** Of one that is known already, and that its session may have seen: what it would tell of matches is pushed before it. */
export function lateEndStep(before: WatchBook, options: EndOptions): Step {
  const { record, pushing, exit } = options;
  const owed = isOwed(record.notify, exit) || exitMatches(before.watches, exit).length > 0;
  const end = endWith(before, options, { owed, pushed: pushing.decideLast(before.standing.push, record) });
  const heldNotices = endNotices(record, end.advance.at, end);
  return { book: before, advance: { ...end.advance, heldNotices }, isTurnedOff: false };
}

/** For an end that is made known before everything has been looked at. */
export function lateEnd({ watches }: WatchBook, exit: ExitRecord): WatchEnd {
  return { advance: null, owed: exitMatches(watches, exit).length > 0, data: {} };
}

function endWith(
  before: WatchBook,
  { record, exit, gap }: EndOptions,
  { owed, pushed }: { readonly owed: boolean; readonly pushed: Pushed },
): SettledEnd {
  const at = Date.now();
  const exitWatches = exitMatches(before.watches, exit);
  const gaps = gap === undefined ? [] : [gap];
  const book = {
    ...before,
    standing: { ...before.standing, push: pushed.state },
    gaps: addGaps(before.gaps, gaps),
  };
  const heldBack = owed ? pushed.state.held.count : 0;
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
