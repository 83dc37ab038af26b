import { expect, test } from "vitest";
import { hasFilters, matcherOf, noFilters, readFilters, writeFilters } from "~/processes/filters.ts";
import { readSort, sortAfterClick, sortProcesses, usualSort, writeSort } from "~/processes/sort.ts";
import { testProcess } from "~/processes/test-process.ts";

const failed = testProcess("p_failed", {
  state: "ended",
  exit: { kind: "exited", code: 2 },
  endedAt: "2026-01-02T00:00:00.000Z",
});
const stopped = testProcess("p_stopped", {
  state: "ended",
  exit: { kind: "signaled", signal: "SIGTERM", signalNumber: 15, coreDumped: false },
  stopReason: "user",
  endedAt: "2026-01-03T00:00:00.000Z",
});
const server = testProcess("p_server", {
  name: "Web",
  command: "npm run dev",
  owner: { profile: "default", session: "s1", task: "t1" },
  labels: { tier: "front=end", team: "x" },
});
const all = [failed, stopped, server];

function shown(address: string): string[] {
  return all.filter(matcherOf(readFilters(new URLSearchParams(address)))).map(({ id }) => id);
}

test.each([
  ["", ["p_failed", "p_stopped", "p_server"]],
  ["state=living", ["p_server"]],
  ["state=ended", ["p_failed", "p_stopped"]],
  ["state=failed", ["p_failed"]],
  ["state=nonsense", ["p_failed", "p_stopped", "p_server"]],
  ["q=NPM+dev", ["p_server"]],
  ["q=web", ["p_server"]],
  ["q=srv+make", ["p_failed", "p_stopped"]],
  ["q=p_fail", ["p_failed"]],
  ["session=s1", ["p_server"]],
  ["session=s", []],
  ["label=tier", ["p_server"]],
  ["label=tier%3Dfront%3Dend", ["p_server"]],
  ["label=tier%3Dfront", []],
  ["label=toString", []],
  ["state=ended&session=s1", []],
])("?%s shows %j", (address, ids) => {
  expect(shown(address)).toEqual(ids);
});

test("filters go into the address and come back; what else it carries stays", () => {
  const filters = { state: "failed", text: "a b", session: "s/1", label: "k=v" } as const;
  const search = writeFilters(new URLSearchParams("sort=-cpu"), filters);
  expect(search.get("sort")).toBe("-cpu");
  expect(readFilters(new URLSearchParams(search.toString()))).toEqual(filters);
  expect(writeFilters(search, noFilters).toString()).toBe("sort=-cpu");
  expect([hasFilters(noFilters), hasFilters(filters)]).toEqual([false, true]);
});

test("the order: what has not ended first, then the newest; by a figure, what has none last", () => {
  const ids = (sort: string): string[] => {
    const rows = new Map([["p_server", row("p_server", 0)]]);
    return sortProcesses(all, readSort(new URLSearchParams({ sort })), rows).map(({ id }) => id);
  };
  expect(ids("")).toEqual(["p_server", "p_stopped", "p_failed"]);
  expect(ids("-since")).toEqual(["p_stopped", "p_failed", "p_server"]);
  expect(ids("-cpu")).toEqual(["p_server", "p_stopped", "p_failed"]);
  expect(ids("process")).toEqual(["p_server", "p_stopped", "p_failed"]);
  expect(ids("nonsense")).toEqual(ids(""));
});

test("a click on a heading sorts by it, a second one the other way round", () => {
  const once = sortAfterClick(usualSort, "cpu");
  expect(once).toEqual({ key: "cpu", isDescending: true });
  expect(sortAfterClick(once, "cpu")).toEqual({ key: "cpu", isDescending: false });
  expect(writeSort(new URLSearchParams("q=x"), once).toString()).toBe("q=x&sort=-cpu");
  expect(writeSort(new URLSearchParams("sort=cpu"), usualSort).toString()).toBe("");
});

function row(id: string, cpu: number) {
  return { id, cpu, memoryBytes: 0, processes: 1, outputBytes: 0, outputRate: 0, lastLine: "", waits: null };
}
