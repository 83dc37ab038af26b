import { expect, test } from "vitest";
import type { NoticeWithText } from "#protocol/notices.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import { waitingForInput } from "~/overview/waiting-input.ts";
import { testProcess } from "~/processes/test-process.ts";

function wait(processId: string, offset: number, line = "Go on? "): NoticeWithText {
  return {
    id: `n_${processId}_${offset}`,
    cursor: offset,
    kind: "process.waits-for-input",
    at: "2026-11-15T10:00:00.000Z",
    state: "pending",
    processId,
    owner: { profile: "default" },
    observed: false,
    attempts: 0,
    acknowledgedBy: null,
    data: { waits: "yes", guess: false, line, offset },
    process: null,
    text: "",
  };
}

function wrote(id: string, outputBytes: number): [string, ProcessUsage] {
  const row = {
    id,
    cpu: 0,
    memoryBytes: 0,
    processes: 1,
    outputBytes,
    outputRate: 0,
    lastLine: "",
    waits: null,
  };
  return [id, row];
}

function reads(id: string, since: string, waitsFor: "input" | "password"): [string, ProcessUsage] {
  const [, row] = wrote(id, 20);
  return [id, { ...row, lastLine: `${id}? `, waits: { for: waitsFor, since } }];
}

test("waits while nothing was written since the newest notice of it, and not after its end", () => {
  const processes = new Map(
    [
      testProcess("p_waits"),
      testProcess("p_went_on"),
      testProcess("p_ended", { state: "ended" }),
      testProcess("p_not_looked_at"),
    ].map((process) => [process.id, process]),
  );
  const notices = [
    wait("p_waits", 20, "Second? "),
    wait("p_waits", 10, "First? "),
    wait("p_went_on", 20),
    wait("p_ended", 20),
    wait("p_removed", 20),
    wait("p_not_looked_at", 20),
  ];
  const usage = new Map([wrote("p_waits", 20), wrote("p_went_on", 30), wrote("p_ended", 20)]);
  expect(waitingForInput(processes, notices, usage)).toMatchObject([
    { process: { id: "p_waits" }, prompt: "Second? ", isPassword: false },
  ]);
});

test("waits when it is seen to read, with no watch; the longest wait first", () => {
  const processes = new Map(
    [testProcess("p_later"), testProcess("p_sooner"), testProcess("p_ended", { state: "ended" })].map(
      (process) => [process.id, process],
    ),
  );
  const usage = new Map([
    reads("p_later", "2026-11-15T10:00:02.000Z", "input"),
    reads("p_sooner", "2026-11-15T10:00:01.000Z", "password"),
    reads("p_ended", "2026-11-15T10:00:00.000Z", "input"),
  ]);
  expect(waitingForInput(processes, [], usage)).toMatchObject([
    { process: { id: "p_sooner" }, prompt: "p_sooner? ", isPassword: true },
    { process: { id: "p_later" }, prompt: "p_later? ", isPassword: false },
  ]);
  // A watch has seen it sooner.
  expect(waitingForInput(processes, [wait("p_later", 20)], usage)).toMatchObject([
    { process: { id: "p_later" }, since: "2026-11-15T10:00:00.000Z" },
    { process: { id: "p_sooner" } },
  ]);
});
