import { expect, test } from "vitest";
import { applyEvent } from "~/api/apply-event.ts";
import { testProcess } from "~/processes/test-process.ts";

const stored = { cursor: 1, at: "2026-01-01T00:00:00.000Z", processId: "p_1" };

test("an event changes its process and leaves all others the same objects", () => {
  const other = testProcess("p_2");
  const map = new Map([
    ["p_1", { ...testProcess("p_1"), lastLine: "hello" }],
    ["p_2", other],
  ]);
  applyEvent(map, { kind: "process.changed", ...stored, process: testProcess("p_1", { name: "n" }) });
  expect(map.get("p_1")).toMatchObject({ name: "n", lastLine: "hello" });
  expect(map.get("p_2")).toBe(other);
  applyEvent(map, { kind: "process.output-grew", ...stored, outputBytes: 7 });
  expect(map.get("p_1")).toMatchObject({ name: "n", outputBytes: 7 });
  applyEvent(map, { kind: "process.removed", ...stored, session: null });
  expect([...map.keys()]).toEqual(["p_2"]);
});

test("output of a process nobody knows is nothing; a start adds one", () => {
  const map = new Map<string, ReturnType<typeof testProcess>>();
  applyEvent(map, { kind: "process.output-grew", ...stored, outputBytes: 7 });
  expect(map.size).toBe(0);
  applyEvent(map, { kind: "process.started", ...stored, process: testProcess("p_1") });
  expect(map.get("p_1")?.state).toBe("running");
  applyEvent(map, { kind: "events.trimmed", cursor: 3, at: stored.at });
  expect(map.size).toBe(1);
});
