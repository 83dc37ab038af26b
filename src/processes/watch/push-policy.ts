// When matches of a process are pushed: one push for a window, what comes inside it is told with the next. Pure: the same
// matches at the same times give the same pushes, before and after a kill.
import type { Redactor } from "../../redaction/index.ts";
import { cutLine } from "./cut-line.ts";
import type { MatchedLine } from "./matched-line.ts";

/** Matches that are not told yet. */
export interface Held {
  readonly count: number;
  /** By watch. */
  readonly watches: Readonly<Record<string, number>>;
  /** The first of them, as many as may be shown. */
  readonly lines: readonly MatchedLine[];
}

export const nothingHeld: Held = { count: 0, watches: {}, lines: [] };

export interface PushState {
  /** How many there were; each has its number. */
  readonly pushes: number;
  /** Milliseconds since 1970; null: the next match is pushed at once. */
  readonly windowEndsAt: number | null;
  /** Something was held back in this window. */
  readonly hasHeld: boolean;
  /** Windows in a row in which something was held back. */
  readonly strikes: number;
  /** Matches are counted and no longer pushed. */
  readonly isOff: boolean;
  readonly held: Held;
  /** How many of those the breaker was told of. */
  readonly blocked: number;
}

export const newPushState: PushState = {
  pushes: 0,
  windowEndsAt: null,
  hasHeld: false,
  strikes: 0,
  isOff: false,
  held: nothingHeld,
  blocked: 0,
};

export interface PushLimits {
  readonly windowMs: number;
  readonly maxLines: number;
  readonly maxCharacters: number;
  readonly strikes: number;
}

export interface Push extends Held {
  readonly number: number;
  /** How many of them came before and could not be told then. */
  readonly heldBack: number;
}

export interface PushDecision {
  readonly state: PushState;
  readonly push: Push | undefined;
  /** With these matches it has become too much. */
  readonly isTurnedOff: boolean;
  /** How many the breaker has kept from being pushed. */
  readonly blocked: number;
}

export interface PushMoment {
  readonly nowMs: number;
  readonly limits: PushLimits;
  readonly redactor: Redactor;
  /** Asked only for a push that would be made now. */
  readonly mayPush: () => boolean;
}

/** Matches have come, or none and the window may be over. */
export function decidePush(before: PushState, matches: Held, moment: PushMoment): PushDecision {
  const { nowMs, limits } = moment;
  const state = closeWindow(before, nowMs, limits);
  const held = joinHeld(state.held, matches, moment);
  const none = { push: undefined, isTurnedOff: false, blocked: 0 };
  if (held.count === 0 || state.isOff) return { ...none, state: { ...state, held } };
  if (state.windowEndsAt === null) return pushNow({ ...state, held }, matches, moment);
  if (matches.count === 0) return { ...none, state: { ...state, held } };
  const strikes = state.hasHeld ? state.strikes : state.strikes + 1;
  const isTurnedOff = strikes >= limits.strikes;
  return { ...none, isTurnedOff, state: { ...state, held, strikes, hasHeld: true, isOff: isTurnedOff } };
}

/** The process ends: what is left is told now or with the end, no window is waited for. */
export function decideLastPush(before: PushState, moment: PushMoment): PushDecision {
  const none = { state: before, push: undefined, isTurnedOff: false, blocked: 0 };
  return before.held.count === 0 || before.isOff ? none : pushNow(before, nothingHeld, moment);
}

/** When it must be decided again although no match comes; null: not at all. */
export function pushDueAt({ windowEndsAt, held, isOff }: PushState): number | null {
  return isOff || held.count === 0 ? null : windowEndsAt;
}

function closeWindow(state: PushState, nowMs: number, { windowMs }: PushLimits): PushState {
  const { windowEndsAt, hasHeld } = state;
  if (windowEndsAt === null) return state;
  // A window that begins in the future was opened by a clock that has been set back since.
  if (nowMs < windowEndsAt && nowMs >= windowEndsAt - windowMs) return state;
  return { ...state, windowEndsAt: null, hasHeld: false, strikes: hasHeld ? state.strikes : 0 };
}

function pushNow(state: PushState, matches: Held, moment: PushMoment): PushDecision {
  const { nowMs, limits, mayPush } = moment;
  const { held } = state;
  if (!mayPush()) {
    const blocked = held.count - state.blocked;
    return { state: { ...state, blocked: held.count }, push: undefined, isTurnedOff: false, blocked };
  }
  const heldBack = held.count - matches.count;
  const push = { ...held, number: state.pushes + 1, heldBack };
  const windowEndsAt = nowMs + limits.windowMs;
  const next = { ...state, pushes: push.number, windowEndsAt, hasHeld: false, held: nothingHeld, blocked: 0 };
  return { state: next, push, isTurnedOff: false, blocked: 0 };
}

function joinHeld(held: Held, matches: Held, moment: PushMoment): Held {
  if (matches.count === 0) return held;
  const watches = { ...held.watches };
  for (const [watch, more] of Object.entries(matches.watches)) watches[watch] = (watches[watch] ?? 0) + more;
  const lines = shownLines([...held.lines, ...matches.lines], moment);
  return { count: held.count + matches.count, watches, lines };
}

function shownLines(lines: readonly MatchedLine[], { limits, redactor }: PushMoment): MatchedLine[] {
  const shown: MatchedLine[] = [];
  let room = limits.maxCharacters;
  for (const line of lines.slice(0, limits.maxLines)) {
    if (room <= 0) break;
    const text = cutLine(line.line, room, redactor);
    shown.push({ ...line, line: text });
    room -= text.length;
  }
  return shown;
}
