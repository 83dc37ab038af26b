import { expect, test } from "vitest";
import type { ProcessUsage, UsageUpdate } from "#protocol/usage.ts";
import { noUsage, withUpdate } from "~/api/usage-state.ts";

function row(id: string, more: Partial<ProcessUsage> = {}): ProcessUsage {
  return {
    id,
    cpu: 0,
    memoryBytes: 1,
    processes: 1,
    outputBytes: 0,
    outputRate: 0,
    lastLine: "",
    waits: null,
    ...more,
  };
}

function update(processes: ProcessUsage[], more: Partial<UsageUpdate> = {}): UsageUpdate {
  return {
    kind: "usage",
    at: "2026-01-01T00:00:00.000Z",
    whole: false,
    machine: { cpu: 0, processors: 1, memoryBytes: 1, memoryUsedBytes: 0, load: [0, 0, 0] },
    daemon: { cpu: 0, memoryBytes: 1, eventLoopDelayMs: 0 },
    processes,
    ended: [],
    ...more,
  };
}

test("later rows replace earlier ones; others stay", () => {
  const first = withUpdate(noUsage, update([row("a"), row("b")], { whole: true }));
  const second = withUpdate(first, update([row("b", { cpu: 0.5 })]));
  expect([...second.rows.values()].map(({ id, cpu }) => [id, cpu])).toEqual([
    ["a", 0],
    ["b", 0.5],
  ]);
  expect(second.rows.get("a")).toBe(first.rows.get("a"));
  expect(second.history).toHaveLength(2);
});

test("a whole update forgets living rows it does not name, and keeps the last line of what has ended", () => {
  const known = withUpdate(noUsage, update([row("a"), row("b", { processes: 0, lastLine: "bye" })]));
  const again = withUpdate(known, update([row("c")], { whole: true }));
  expect([...again.rows.keys()]).toEqual(["b", "c"]);
  expect(again.rows.get("b")?.lastLine).toBe("bye");
});

test("neither history nor ended rows grow without end", () => {
  let known = noUsage;
  for (let step = 0; step < 320; step += 1) {
    const ended = Array.from({ length: 20 }, (_, index) => row(`${step}-${index}`, { processes: 0 }));
    known = withUpdate(known, update(ended));
  }
  expect(known.history).toHaveLength(300);
  expect(known.rows.size).toBe(5_000);
  expect(known.rows.has("319-19")).toBe(true);
});
