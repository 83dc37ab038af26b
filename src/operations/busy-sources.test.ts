import { expect, test } from "vitest";
import { BusySources } from "./busy-sources.ts";

const unreadable = (): number => {
  throw new Error("the disk is gone");
};

test("every source is counted, and one that cannot be read is told as such", () => {
  const busy = new BusySources();
  busy.add({ name: "processes", count: () => 3, holdsDrain: false });
  busy.add({ name: "deliveries", count: unreadable, holdsDrain: false });
  expect(busy.counts()).toEqual([
    { name: "processes", count: 3 },
    { name: "deliveries", count: null },
  ]);
});

test("only sources that say so hold a drain, and of those also one that cannot be read", () => {
  const busy = new BusySources();
  expect(busy.holdDrain).toBe(false);
  busy.add({ name: "processes", count: () => 3, holdsDrain: false });
  expect(busy.holdDrain).toBe(false);
  let waits = 1;
  busy.add({ name: "waits", count: () => waits, holdsDrain: true });
  expect(busy.holdDrain).toBe(true);
  waits = 0;
  expect(busy.holdDrain).toBe(false);
  busy.add({ name: "deliveries", count: unreadable, holdsDrain: true });
  expect(busy.holdDrain).toBe(true);
});
