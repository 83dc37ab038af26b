import { expect, test } from "vitest";
import { closePane, emptyLayout, openTab, readLayout, splitTab, stepTab } from "~/terminal/layout-state.ts";

const two = openTab(openTab(emptyLayout, "p_a"), "p_b");

test("a process that is already shown is gone to, not opened twice", () => {
  expect(openTab(two, "p_a")).toEqual({ tabs: two.tabs, active: "p_a" });
});

test("a split puts a terminal beside the active one and takes it from where it was", () => {
  const split = splitTab(two, "p_a", "column");
  expect(split).toEqual({
    tabs: [{ key: "p_b", direction: "column", panes: ["p_b", "p_a"] }],
    active: "p_b",
  });
});

test("a split with what the active tab shows changes nothing", () => {
  expect(splitTab(two, "p_b", "row")).toBe(two);
});

test("a process that left the tab it was opened in gets a tab of its own", () => {
  const left = closePane(splitTab(openTab(emptyLayout, "p_a"), "p_b", "row"), "p_a");
  const again = openTab(left, "p_a");
  expect(again.tabs.map(({ panes }) => panes)).toEqual([["p_b"], ["p_a"]]);
  expect(new Set(again.tabs.map(({ key }) => key)).size).toBe(2);
  expect(again.active).toBe(again.tabs[1]?.key);
});

test("closing the last pane of a tab shows the neighbour", () => {
  expect(closePane(two, "p_b").active).toBe("p_a");
  expect(closePane(closePane(two, "p_b"), "p_a")).toEqual({ tabs: [], active: undefined });
  expect(closePane(two, "p_unknown")).toBe(two);
});

test("the next and the previous tab go round", () => {
  expect(stepTab(two, 1).active).toBe("p_a");
  expect(stepTab(two, -1).active).toBe("p_a");
  expect(stepTab(emptyLayout, 1)).toEqual(emptyLayout);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"tabs":3}',
  '{"tabs":[{"key":1}]}',
  '{"tabs":[{"key":"a","direction":"row","panes":[]}]}',
])("a stored layout %j that cannot be used is an empty one", (stored) => {
  expect(readLayout(stored)).toEqual(emptyLayout);
});

test("a stored layout comes back", () => {
  expect(readLayout(JSON.stringify(two))).toEqual(two);
});

test("what a stored layout has twice is shown once", () => {
  const tabs = [
    { key: "p_a", direction: "row", panes: ["p_b", "p_b"] },
    { key: "p_a", direction: "row", panes: ["p_a"] },
    { key: "p_c", direction: "row", panes: ["p_b", "p_c"] },
    { key: "p_d", direction: "row", panes: ["p_c"] },
  ];
  expect(readLayout(JSON.stringify({ tabs, active: "p_c" }))).toEqual({
    tabs: [
      { key: "p_a", direction: "row", panes: ["p_b"] },
      { key: "p_c", direction: "row", panes: ["p_c"] },
    ],
    active: "p_c",
  });
});
