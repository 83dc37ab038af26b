import { expect, test } from "vitest";
import type { ProcessDetail } from "#protocol/process.ts";
import { missingNames, openLike, startLike } from "~/processes/actions/start-like.ts";
import { testProcess } from "~/processes/test-process.ts";

function detail(more: Partial<ProcessDetail> = {}): ProcessDetail {
  return {
    ...testProcess("p_1"),
    processes: 1,
    cpuMs: 0,
    memoryBytes: 0,
    lastLine: "",
    inputWait: { waits: "no", guess: false },
    stdin: "closed",
    columns: 0,
    rows: 0,
    environmentNames: ["PATH", "API_URL"],
    directory: "/h/runs/p_1",
    confinement: null,
    shares: [],
    ...more,
  };
}

test("what a shell ran is given to a shell again, a list of words stays one", () => {
  const typed = detail({ command: "make | tee log", argv: ["/bin/bash", "-c", "make | tee log"] });
  expect(startLike(typed, { isStdinOpen: false }).command).toBe("make | tee log");
  const words = detail({ command: "sh -c 'exit 1'", argv: ["sh", "-c", "exit 1"] });
  expect(startLike(words, { isStdinOpen: false }).command).toEqual(["sh", "-c", "exit 1"]);
});

test("directory, owner, labels, lifetime and limits are repeated; a terminal keeps its size", () => {
  const owner = { profile: "default", session: "s", origin: { chat: 1 } };
  const terminal = detail({ mode: "pty", columns: 120, rows: 40, owner, labels: { a: "b" }, state: "ended" });
  expect(startLike(terminal, { isStdinOpen: false })).toMatchObject({
    cwd: "/srv/app",
    mode: "pty",
    columns: 120,
    rows: 40,
    stdin: "open",
    owner,
    labels: { a: "b" },
    lifetime: "detached",
  });
  expect(startLike(detail(), { isStdinOpen: true })).toMatchObject({ stdin: "open" });
  expect(startLike(detail(), { isStdinOpen: false })).not.toHaveProperty("columns");
});

test("a name is taken over from the one that still has it", () => {
  expect(startLike(detail(), { isStdinOpen: false })).not.toHaveProperty("name");
  const named = { name: "web", argv: ["x"] };
  expect(startLike(detail(named), { isStdinOpen: false })).toMatchObject({ name: "web", replace: true });
  const ended = detail({ ...named, state: "ended" });
  expect(startLike(ended, { isStdinOpen: false })).toMatchObject({ name: "web", replace: false });
});

test("a terminal with a key is opened again: a key is that of one living terminal", () => {
  const labels = { "holdfast.terminal": "dup" };
  const shell = { mode: "pty" as const, argv: ["/bin/bash", "-l"], columns: 100, rows: 30, labels };
  const ended = detail({ ...shell, state: "ended" });
  const again = { cwd: "/srv/app", shell: "/bin/bash", columns: 100, rows: 30 };
  expect(openLike(detail(), [], "new")).toBeUndefined();
  expect(openLike(ended, [ended], "new")).toEqual({ ...again, key: "dup", restart: false });
  const gone = { ...ended, id: "p_2" };
  expect(openLike(ended, [gone], "new")).toMatchObject({ key: "dup" });
  // Whoever has the key by now keeps it.
  const other = { ...ended, id: "p_2", state: "running" } as const;
  expect(openLike(ended, [other, ended], "new")).toEqual({ ...again, key: "new", restart: false });
  const running = detail({ ...shell, state: "running" });
  expect(openLike(running, [running], "new")).toEqual({ ...again, key: "dup", restart: true });
});

test("variables that did not come along are named", () => {
  const after = detail({ environmentNames: ["PATH", "HOME"] });
  expect(missingNames(detail(), after)).toEqual(["API_URL"]);
});
