import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ConfigStore } from "./config-store.ts";
import { configTable } from "./keys.ts";

const open: ConfigStore[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

interface Place {
  readonly store: ConfigStore;
  readonly project: string;
  readonly write: (text: string) => void;
}

function newPlace(home: string, environment: NodeJS.ProcessEnv = {}): Place {
  const root = mkdtempSync(join(homedir(), "project-"));
  const project = join(root, "work/inner");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(root, "holdfast.yaml"), home);
  const store = ConfigStore.open({ home: root, environment, watch: false });
  open.push(store);
  return { store, project, write: (text) => writeFileSync(join(root, "work/holdfast.yaml"), text) };
}

test("a project's file lies over the home's and under the environment, in its own directory only", async () => {
  const { store, project, write } = newPlace("stop: {graceMs: 1}\noutput: {headBytes: 1}\n", {
    HOLDFAST_TERMINAL_ROWS: "50",
  });
  write("stop: {graceMs: 7}\nterminal: {rows: 40, columns: 90}\n");
  const { config, problems } = await store.inDirectory(project);
  expect(problems).toEqual([]);
  expect(config).toMatchObject({
    stop: { graceMs: 7 },
    output: { headBytes: 1 },
    terminal: { rows: 50, columns: 90 },
  });
  expect((await store.viewOf(project)).explain("stop.graceMs")).toMatchObject({
    value: 7,
    source: "project",
    place: expect.stringMatching(/work\/holdfast\.yaml:1$/) as string,
    candidates: [{ source: "project" }, { source: "home" }, { source: "default" }],
  });
  expect(store.current.stop.graceMs).toBe(1);
  expect(store.get("stop.graceMs")).toMatchObject({ value: 1, source: "home" });
  expect((await store.inDirectory(homedir())).config).toBe(store.current);
});

test.each([
  ["a key of the home alone", "stop: {graceMs: 7}\npolicy:\n  approvalMs: 5000\n", 3, "policy.approvalMs"],
  ["an unknown key", "stop: {graceMs: 7}\nstpo: {}\n", 2, "stpo"],
  ["an invalid value", "terminal: {rows: 40}\nstop:\n  graceMs: soon\n", 3, "stop.graceMs"],
])("%s refuses a project's file as a whole, and is told with its line", async (_what, text, line, key) => {
  const { store, project, write } = newPlace("stop: {graceMs: 1}\n");
  write(text);
  const problem = { file: expect.stringMatching(/work\/holdfast\.yaml$/) as string, line, key };
  const { config, problems } = await store.inDirectory(project);
  expect(config).toBe(store.current);
  expect(problems).toMatchObject([problem]);
  expect(await store.check(project)).toMatchObject({ valid: false, problems: [problem] });
  expect(await store.check()).toMatchObject({ valid: true });
  await expect(store.viewOf(project)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    details: { problems: [problem] },
  });
});

test("is read again when it or the home's configuration changed, and only then", async () => {
  const { store, project, write } = newPlace("");
  write("stop: {graceMs: 7}\n");
  const first = await store.inDirectory(project);
  expect(await store.inDirectory(project)).toBe(first);
  write("stop: {graceMs: 70}\n");
  expect((await store.viewOf(project)).get("stop.graceMs")).toMatchObject({ value: 70 });
  expect((await store.inDirectory(project)).config.stop.graceMs).toBe(70);
  write("stop: {graceMs: 700}\n");
  // Starts in a row look once, and again a moment later.
  await expect.poll(async () => (await store.inDirectory(project)).config.stop.graceMs).toBe(700);
  store.set("terminal.rows", 33);
  expect((await store.inDirectory(project)).config).toMatchObject({
    stop: { graceMs: 700 },
    terminal: { rows: 33 },
  });
});

test("what a project may set is a default of a start or a wait, counts at once and holds no secret", () => {
  const keys = [...configTable.keys.values()].filter(({ mayProjectSet }) => mayProjectSet);
  expect(keys.map(({ name }) => name).toSorted()).toEqual([
    "jobs.limitMs",
    "output.headBytes",
    "output.tailBytes",
    "start.timeoutMs",
    "stop.graceMs",
    "terminal.columns",
    "terminal.rows",
    "wait.defaultMs",
  ]);
  for (const { needsRestart, isConfidential } of keys) {
    expect(needsRestart).toBe(false);
    expect(isConfidential).toBeUndefined();
  }
});
