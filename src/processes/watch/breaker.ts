// The breaker of all pushes of a home: too many in a short time, and pushing pauses. Whoever something was held back
// from hears it when the pause begins and when it ends. Pure, as the policy of one process is.
import { z } from "zod";

const count = z.int().nonnegative();

/** Where the notices of a session go. */
const routeSchema = z.object({
  session: z.string().nullable(),
  task: z.string().nullable(),
  profile: z.string(),
  origin: z.record(z.string(), z.unknown()).nullable(),
});
export type BreakerRoute = z.infer<typeof routeSchema>;

const heldBackSchema = z.object({ route: routeSchema, count });
export type HeldBack = z.infer<typeof heldBackSchema>;

export const breakerStateSchema = z.object({
  /** When the last pushes were, oldest first. */
  recent: z.array(z.int()).default([]),
  /** Since when and until when nothing is pushed; null: pushing goes on. */
  pausedAt: z.int().nullable().default(null),
  pausedUntil: z.int().nullable().default(null),
  held: z.array(heldBackSchema).default([]),
});
export type BreakerState = z.infer<typeof breakerStateSchema>;

export interface BreakerLimits {
  readonly pushes: number;
  readonly withinMs: number;
  readonly pauseMs: number;
}

export class Breaker {
  #state: BreakerState;

  constructor(state: BreakerState = breakerStateSchema.parse({})) {
    this.#state = state;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether one more push may be made now; it counts as made if so. */
  mayPush(nowMs: number, limits: BreakerLimits): boolean {
    const { pausedUntil, recent } = this.#state;
    if (pausedUntil !== null) return false;
    const counted = recent.filter((at) => at > nowMs - limits.withinMs && at <= nowMs);
    if (counted.length < limits.pushes) {
      this.#state = { ...this.#state, recent: [...counted, nowMs] };
      return true;
    }
    this.#state = { recent: [], pausedAt: nowMs, pausedUntil: nowMs + limits.pauseMs, held: [] };
    return false;
  }

  /** Matches were kept from being pushed. True: the first of this session in this pause. */
  hold(route: BreakerRoute, more: number): boolean {
    const key = keyOf(route);
    const known = this.#state.held.some((one) => keyOf(one.route) === key);
    const held = known
      ? this.#state.held.map((one) => (keyOf(one.route) === key ? { ...one, count: one.count + more } : one))
      : [...this.#state.held, { route, count: more }];
    this.#state = { ...this.#state, held };
    return !known;
  }

  /** Ends a pause whose time has come. Undefined: there is none to end. */
  release(nowMs: number): { readonly pausedAt: number; readonly held: readonly HeldBack[] } | undefined {
    const { pausedAt, pausedUntil, held } = this.#state;
    if (pausedAt === null || pausedUntil === null) return undefined;
    // A clock that was set back must not make the pause longer.
    if (nowMs < pausedUntil && nowMs >= pausedAt) return undefined;
    this.#state = { recent: [], pausedAt: null, pausedUntil: null, held: [] };
    return { pausedAt, held };
  }
}

/** Those without a session are told by their task and profile. */
export function keyOf({ session, task, profile }: BreakerRoute): string {
  return JSON.stringify(session === null ? [null, task, profile] : [session]);
}
