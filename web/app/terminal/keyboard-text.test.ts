import { expect, test } from "vitest";
import { keyboardText, noTyping } from "~/terminal/keyboard-text.ts";

const window = { since: "2026-01-01T00:00:00.000Z", columns: 80, rows: 24 };
const viewers = [
  { id: "v1", name: "Browser abc", ...window },
  { id: "v2", name: "Browser xyz", ...window },
];
const state = { phase: "live", you: "v1", keyboard: "v1", viewers } as const;
const running = { state: "running" } as const;

test("who types is told by name, to the others", () => {
  expect(keyboardText({ ...state, viewers: viewers.slice(0, 1) }, running)).toBe("You type");
  expect(keyboardText(state, running)).toBe("You type · 2 viewers");
  expect(keyboardText({ ...state, keyboard: "v2" }, running)).toBe("Browser xyz types · 2 viewers");
  expect(keyboardText({ ...state, keyboard: null }, running)).toBe("Read-only · 2 viewers");
});

test("nobody types into what has ended, also when it was removed since", () => {
  for (const [phase, process] of [
    ["live", { state: "ended" }],
    ["ended", undefined],
  ] as const) {
    expect(keyboardText({ ...state, phase }, process)).toBe("Read-only · 2 viewers");
    expect(noTyping({ phase }, process)).toBe("The process has ended");
  }
  expect(noTyping({ phase: "closed" }, undefined)).toBe("The view was closed");
  expect(noTyping({ phase: "live" }, running)).toBeUndefined();
});
