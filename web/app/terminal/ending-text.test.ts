import { expect, test } from "vitest";
import { terminalKeyLabel } from "#protocol/terminal-key.ts";
import { endingText } from "~/terminal/ending-text.ts";

const shell = { name: null, command: "/bin/bash -l", labels: { [terminalKeyLabel]: "k" }, processes: 1 };

test("a shell that was opened as a terminal and runs nothing ends without a question", () => {
  expect(endingText(shell)).toBeUndefined();
});

test("what runs in it is told", () => {
  expect(endingText({ ...shell, processes: 2 })).toContain("A program still runs in it");
  expect(endingText({ ...shell, processes: 4 })).toContain("3 programs still run in it");
});

test("a process that was not opened as a terminal is never ended without a question", () => {
  const server = { name: "server", command: "sleep 3000", labels: {}, processes: 1 };
  expect(endingText(server)).toContain("server still runs");
  expect(endingText({ ...server, name: null, processes: 3 })).toContain("sleep 3000 still runs");
});
