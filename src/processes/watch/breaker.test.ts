import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Breaker, breakerStateSchema, type BreakerRoute } from "./breaker.ts";

const limits = { pushes: 15, withinMs: 10_000, pauseMs: 30_000 };

function route(session: string | null): BreakerRoute {
  return { session, task: null, profile: "default", origin: null };
}

/** As a daemon killed here and now would find it again. */
function revived(breaker: Breaker): Breaker {
  return new Breaker(breakerStateSchema.parse(JSON.parse(JSON.stringify(breaker.state))));
}

test("the sixteenth push in ten seconds trips it; it is silent for thirty, then tells each session its own count", () => {
  let breaker = new Breaker();
  for (let push = 0; push < 15; push++) expect(breaker.mayPush(push * 600, limits)).toBe(true);
  expect(breaker.mayPush(9_000, limits)).toBe(false);
  expect(breaker.hold(route("a"), 3)).toBe(true);
  breaker = revived(breaker);
  expect(breaker.mayPush(38_999, limits)).toBe(false);
  expect(breaker.hold(route("a"), 4), "told once").toBe(false);
  expect(breaker.hold(route("b"), 1)).toBe(true);
  expect(breaker.hold(route(null), 2)).toBe(true);
  expect(breaker.release(38_999)).toBeUndefined();
  expect(breaker.release(39_000)).toEqual({
    pausedAt: 9_000,
    held: [
      { route: route("a"), count: 7 },
      { route: route("b"), count: 1 },
      { route: route(null), count: 2 },
    ],
  });
  expect(breaker.release(39_001), "once").toBeUndefined();
  expect(breaker.mayPush(39_000, limits)).toBe(true);
});

test("pushes that are spread out never trip it", () => {
  const breaker = new Breaker();
  for (let atMs = 0; atMs < 1_000_000; atMs += 700) expect(breaker.mayPush(atMs, limits)).toBe(true);
});

test("never more than so many in any such time, nothing in a pause, and every held match in exactly one account", () => {
  const step = fc.record({
    pauseMs: fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 3_000 }), fc.nat({ max: 60_000 })),
    session: fc.constantFrom("a", "b", null),
    count: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let breaker = new Breaker();
      const pushed: number[] = [];
      let held = 0;
      let released = 0;
      let pausedUntil = -Infinity;
      let inPause = 0;
      let atMs = 0;
      for (const { pauseMs, session, count } of steps) {
        atMs += pauseMs;
        const over = breaker.release(atMs);
        released += (over?.held ?? []).reduce((sum, one) => sum + one.count, 0);
        if (breaker.mayPush(atMs, limits)) {
          pushed.push(atMs);
          if (atMs < pausedUntil) inPause += 1;
        } else {
          breaker.hold(route(session), count);
          held += count;
          pausedUntil = breaker.state.pausedUntil ?? Infinity;
        }
        breaker = revived(breaker);
      }
      const open = breaker.state.held.reduce((sum, one) => sum + one.count, 0);
      expect(inPause, "no push in a pause").toBe(0);
      expect(released + open).toBe(held);
      for (const [index, at] of pushed.entries()) {
        const before = pushed[index - limits.pushes] ?? -Infinity;
        expect(at - before).toBeGreaterThanOrEqual(limits.withinMs);
      }
    }),
  );
});
