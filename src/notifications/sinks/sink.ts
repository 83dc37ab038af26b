// Somewhere notices are pushed to. A sink only carries: when, how often and what then is decided by the deliverer.
import type { NoticeWithText } from "../../protocol/notices.ts";
import type { NoticeQuery, NoticeRoute } from "../../store/index.ts";

export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  /** Again later; the schedule decides when, unless the other side named a time. */
  | { readonly kind: "retry"; readonly error: string; readonly afterMs?: number }
  /** Not now, through no fault of anybody: counts as no attempt. */
  | { readonly kind: "defer"; readonly afterMs: number }
  /** Given up; it stays owed and is listed. */
  | { readonly kind: "dead"; readonly error: string }
  /** A person must look at it first. */
  | { readonly kind: "needs_person"; readonly error: string }
  /** The other side wants nothing any more: the sink is turned off. */
  | { readonly kind: "disable"; readonly error: string };

/** Of which notices it is true; default: of all that were handed over. */
export interface Settled {
  readonly outcome: DeliveryOutcome;
  readonly notices: readonly string[];
}

export interface Sink {
  readonly name: string;
  /** What it wants. */
  readonly query: NoticeQuery;
  /** Pauses before the second, third … attempt; after the last one it is given up. */
  readonly scheduleMs: readonly number[];
  /** session: all that is due for one session together, one call at a time for each. notice: each alone. */
  readonly by: "session" | "notice";
  /** How many calls at once. */
  readonly parallel: number;
  /** How long to wait for more of the same session. */
  readonly gatherMs: number;
  /** Has taking it there settled the notice, for all who could claim it? */
  acknowledges(route: NoticeRoute): boolean;
  /** turn: the same for the same attempt, also when another daemon makes it again. */
  deliver(
    notices: readonly NoticeWithText[],
    signal: AbortSignal,
    turn: string,
  ): Promise<DeliveryOutcome | Settled>;
}
