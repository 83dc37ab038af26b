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
