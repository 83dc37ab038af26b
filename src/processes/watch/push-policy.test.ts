import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../redaction/index.ts";
import {
  decideLastPush,
  decidePush,
  newPushState,
  nothingHeld,
  pushDueAt,
  type Held,
  type Push,
  type PushState,
} from "./push-policy.ts";
import { pushStateSchema } from "./standing.ts";

const redactor = createRedactor({ enabled: true });
const limits = { windowMs: 15_000, maxLines: 20, maxCharacters: 2_000, strikes: 3 };

function matches(count: number, text = "a line"): Held {
  const lines = Array.from({ length: Math.min(count, 30) }, (_, offset) => {
    return { offset, stream: "stdout" as const, line: text, watches: ["w"] };
  });
  return { count, watches: count === 0 ? {} : { w: count }, lines };
}

interface Told {
  readonly atMs: number;
  readonly push: Push;
}

/** A process under an injected clock: matches at times, and the decisions that come due in between. */
class Run {
  state: PushState = newPushState;
  readonly pushes: Told[] = [];
  readonly turnedOffAtMs: number[] = [];
  blocked = 0;
  mayPush: (atMs: number) => boolean = () => true;

  match(atMs: number, count: number, text?: string): void {
    for (let due = pushDueAt(this.state); due !== null && due <= atMs; due = pushDueAt(this.state)) {
      this.#decide(due, nothingHeld);
      if (pushDueAt(this.state) === due) break;
    }
    this.#decide(atMs, matches(count, text));
  }

  #decide(atMs: number, held: Held): void {
    // Through JSON: a kill between any two decisions changes nothing.
    const before = pushStateSchema.parse(JSON.parse(JSON.stringify(this.state)));
    const decision = decidePush(before, held, {
      nowMs: atMs,
      limits,
      redactor,
      mayPush: () => this.mayPush(atMs),
    });
    this.state = decision.state;
    this.blocked += decision.blocked;
    if (decision.push !== undefined) this.pushes.push({ atMs, push: decision.push });
    if (decision.isTurnedOff) this.turnedOffAtMs.push(atMs);
  }
}

test("the first match is pushed at once; what comes inside the window is told when it ends", () => {
  const run = new Run();
  run.match(1_000, 1);
  run.match(2_000, 3);
  run.match(15_999, 2);
  expect(run.pushes).toMatchObject([{ atMs: 1_000, push: { number: 1, count: 1, heldBack: 0 } }]);
  run.match(40_000, 1);
  expect(run.pushes.slice(1)).toMatchObject([
    { atMs: 16_000, push: { number: 2, count: 5, heldBack: 5, watches: { w: 5 } } },
    { atMs: 40_000, push: { number: 3, count: 1, heldBack: 0 } },
  ]);
});

test("three windows in a row with something held back: no more pushes, and what comes is still counted", () => {
  const run = new Run();
  for (let atMs = 0; atMs < 100_000; atMs += 1_000) run.match(atMs, 1);
  expect(run.pushes.map(({ atMs }) => atMs)).toEqual([0, 15_000, 30_000]);
  expect(run.turnedOffAtMs, "said once").toEqual([30_000]);
  expect(run.state).toMatchObject({ isOff: true, strikes: 3, held: { count: 70 } });
});

test("a window in which nothing is held back resets the strikes", () => {
  const run = new Run();
  for (const start of [0, 100_000, 200_000, 300_000]) {
    run.match(start, 1);
    run.match(start + 1, 1);
    run.match(start + 15_001, 1); // held back in the window that began with telling the one before
    run.match(start + 60_000, 1); // alone in its window
  }
  expect(run.turnedOffAtMs).toEqual([]);
  expect(run.state.strikes).toBe(0);
});

test("a push shows at most so many lines and characters, and counts the rest", () => {
  const run = new Run();
  run.match(0, 30);
  run.match(100_000, 5, "€".repeat(900));
  run.match(200_000, 1, "\u{1f600}".repeat(2_000));
  const [lines, long, cut] = run.pushes.map(({ push }) => push.lines.map(({ line }) => line));
  expect(run.pushes[0]?.push).toMatchObject({ count: 30 });
  expect(lines).toHaveLength(20);
  expect(long?.map((line) => line.length)).toEqual([900, 900, 200]);
  expect(cut?.[0]?.endsWith("\u{1f600}…")).toBe(true);
  expect(cut?.[0]?.length).toBeLessThanOrEqual(2_000);
});

const schedule = fc.array(
  fc.record({
    pauseMs: fc.oneof(fc.nat({ max: 40_000 }), fc.nat({ max: 300 })),
    count: fc.integer({ min: 1, max: 50 }),
  }),
  { maxLength: 60 },
);

test("nothing is lost, pushes keep their distance, and turned off stays turned off", () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      const run = new Run();
      let atMs = 0;
      let total = 0;
      for (const { pauseMs, count } of steps) {
        atMs += pauseMs;
        total += count;
        run.match(atMs, count);
      }
      const told = run.pushes.reduce((sum, { push }) => sum + push.count, 0);
      expect(told + run.state.held.count).toBe(total);
      expect(run.pushes.map(({ push }) => push.number)).toEqual(run.pushes.map((_, index) => index + 1));
      for (const [index, { atMs: at, push }] of run.pushes.entries()) {
        expect(at - (run.pushes[index - 1]?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(limits.windowMs);
        expect(push.lines.length).toBeLessThanOrEqual(limits.maxLines);
        const shown = push.lines.reduce((sum, { line }) => sum + line.length, 0);
        expect(shown).toBeLessThanOrEqual(limits.maxCharacters);
        expect(run.turnedOffAtMs[0] ?? Infinity).toBeGreaterThanOrEqual(at);
      }
      expect(run.turnedOffAtMs.length).toBeLessThanOrEqual(1);
    }),
  );
});

test("matches that are further apart than a window are each pushed at once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: limits.windowMs, max: 100_000 })), (pauses) => {
      const run = new Run();
      let atMs = 0;
      for (const pauseMs of pauses) run.match((atMs += pauseMs), 1);
      expect(run.pushes).toHaveLength(pauses.length);
      expect(run.state.strikes).toBe(0);
    }),
  );
});

test("what the breaker blocks stays held, is counted once, and is told with the next push", () => {
  const run = new Run();
  run.mayPush = (atMs) => atMs >= 50_000;
  run.match(0, 2);
  run.match(1_000, 3);
  expect(run.pushes).toEqual([]);
  expect(run.blocked).toBe(5);
  run.match(50_000, 1);
  expect(run.pushes).toMatchObject([{ push: { count: 6, heldBack: 5 } }]);
  expect(run.state.strikes, "no window was open").toBe(0);
});

test("at the end what is left is told without waiting; turned off, it is not", () => {
  const run = new Run();
  run.match(0, 1);
  run.match(1_000, 4);
  const moment = { nowMs: 2_000, limits, redactor, mayPush: () => true };
  expect(decideLastPush(run.state, moment).push).toMatchObject({ number: 2, count: 4, heldBack: 4 });
  expect(decideLastPush({ ...run.state, isOff: true }, moment).push).toBeUndefined();
  expect(decideLastPush({ ...run.state, held: nothingHeld }, moment).push).toBeUndefined();
});

test("a clock that is set back does not close a process's mouth for that long", () => {
  const run = new Run();
  run.match(10_000_000, 1);
  run.match(5_000, 1);
  expect(run.pushes).toHaveLength(2);
});
