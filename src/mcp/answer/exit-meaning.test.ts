import { expect, test } from "vitest";
import { decidingProgram, exitCodeOf, exitMeaning } from "./exit-meaning.ts";

test.each([
  ["grep x file", "grep"],
  ["cat a | /usr/bin/grep -q 'a | b'", "grep"],
  ["cd x && LANG=C sudo diff a b", "diff"],
  ['echo "a; b"', "echo"],
  ["a || b; test -e c;", "test"],
  ["", undefined],
])("%s is decided by %s", (command, program) => {
  expect(decidingProgram(command)).toBe(program);
});

test("a code means something only of a program that gives it that meaning", () => {
  const exited = (code: number) => ({ kind: "exited", code }) as const;
  expect(exitMeaning("grep x y", exited(1))).toBe("nothing matched: not an error");
  expect(exitMeaning("make", exited(1))).toBeUndefined();
  expect(exitMeaning("make", exited(0))).toBeUndefined();
  expect(exitMeaning("timeout 5 make test", exited(124))).toBe("its time was up");
  expect(exitMeaning("constructor", exited(1))).toBeUndefined();
  expect(exitMeaning("make", exited(143), "user")).toBe("it was asked to end");
  const killed = { kind: "signaled", signal: "SIGKILL", signalNumber: 9, coreDumped: false } as const;
  expect(exitMeaning("make", killed)).toContain("memory");
  expect(exitCodeOf(killed)).toBe(137);
  expect(exitMeaning("make", { kind: "lost", lastSeen: "2026-01-01T00:00:00Z" })).toContain(
    "never take it for a success",
  );
});
