import { expect, test } from "vitest";
import { BusySources } from "../operations/index.ts";
import { Drain } from "./drain.ts";

function drainOf(count: () => number, configuredMs = 60_000): { drain: Drain; begun: () => number } {
  const busy = new BusySources();
  busy.add({ name: "waits", count, holdsDrain: true });
  busy.add({ name: "processes", count: () => 7, holdsDrain: false });
  let begun = 0;
  const drain = new Drain({ busy, configuredMs: () => configuredMs, onBegin: () => (begun += 1) });
  return { drain, begun: () => begun };
}

async function measuredMs(work: Promise<void>): Promise<number> {
  const beganMs = performance.now();
  await work;
  return performance.now() - beganMs;
}

test("with nothing to wait for it is over at once; running processes do not hold it", async () => {
  const { drain, begun } = drainOf(() => 0);
  expect([drain.hasBegun, drain.leftMs]).toEqual([false, 0]);
  expect(await measuredMs(drain.begin())).toBeLessThan(1_000);
  expect([drain.hasBegun, begun()]).toEqual([true, 1]);
});

test("it is over when the last wait is", async () => {
  let waits = 2;
  const { drain } = drainOf(() => waits);
  const over = drain.begin();
  expect(drain.leftMs).toBeGreaterThan(59_000);
  waits = 0;
  expect(await measuredMs(over)).toBeLessThan(1_000);
});

test("it is over when time is up: the time that was asked for, else the configured one", async () => {
  expect(await measuredMs(drainOf(() => 1).drain.begin(50))).toBeLessThan(5_000);
  expect(await measuredMs(drainOf(() => 1, 50).drain.begin())).toBeLessThan(5_000);
  expect(await measuredMs(drainOf(() => 1).drain.begin(0))).toBeLessThan(1_000);
});

test("a second ask hurries it, and it begins only once", async () => {
  const { drain, begun } = drainOf(() => 1);
  const over = drain.begin();
  drain.hurry();
  expect(drain.leftMs).toBe(0);
  expect(await measuredMs(over)).toBeLessThan(1_000);
  expect(drain.begin()).toBe(over);
  expect(begun()).toBe(1);
});

test("a new configured limit counts while it lasts", async () => {
  const busy = new BusySources();
  busy.add({ name: "waits", count: () => 1, holdsDrain: true });
  let limitMs = 60_000;
  const drain = new Drain({ busy, configuredMs: () => limitMs, onBegin: () => undefined });
  const over = drain.begin();
  limitMs = 10;
  expect(await measuredMs(over)).toBeLessThan(5_000);
});
