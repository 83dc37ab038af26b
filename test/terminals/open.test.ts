// terminal.open: a shell by a key. One daemon for all of it.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openViewer } from "../support/terminal-viewer.ts";
import { testDirectory } from "../support/test-home.ts";

function directory(name: string): string {
  const path = join(testDirectory(), name);
  mkdirSync(path, { recursive: true });
  return path;
}

async function stateOf(client: Client, id: string): Promise<string> {
  return (await client.process.get({ id })).state;
}

function byKey([a = ""]: readonly string[], [b = ""]: readonly string[]): number {
  return a.localeCompare(b);
}

test("same key and directory: the same one, with the new size; another directory or a restart: another one", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const here = directory("here");
  const link = join(testDirectory(), "link");
  symlinkSync(here, link);
  const first = await client.terminal.open({
    key: "work",
    cwd: here,
    shell: "/bin/sh",
    columns: 90,
    rows: 20,
  });
  expect(first).toMatchObject({ reused: false, columns: 90, rows: 20, process: { mode: "pty", cwd: here } });
  expect(first.replaced).toBeUndefined();
  const again = await client.terminal.open({ key: "work", cwd: link, columns: 5_000, rows: 0 });
  expect(again).toMatchObject({ reused: true, columns: 1_000, rows: 20, process: { id: first.process.id } });
  const elsewhere = await client.terminal.open({ key: "work", cwd: directory("there"), shell: "/bin/sh" });
  expect(elsewhere).toMatchObject({ reused: false, replaced: first.process.id, columns: 80, rows: 24 });
  expect(await client.process.get({ id: first.process.id })).toMatchObject({
    state: "ended",
    stopReason: "replaced",
  });
  const restarted = await client.terminal.open({
    key: "work",
    cwd: directory("there"),
    shell: "/bin/sh",
    restart: true,
  });
  expect(restarted).toMatchObject({ reused: false, replaced: elsewhere.process.id });
  const other = await client.terminal.open({ key: "other", cwd: here, shell: "/bin/sh" });
  const listed = await client.terminal.list({});
  expect(listed.terminals.map(({ key, process }) => [key, process.id]).toSorted(byKey)).toEqual([
    ["other", other.process.id],
    ["work", restarted.process.id],
  ]);
  expect(listed.limit).toBe(32);
  expect((await client.terminal.list({ ended: true })).terminals).toHaveLength(4);
});

test("two who open the same key at once get the same one", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const open = (): Promise<{ process: { id: string }; reused: boolean }> =>
    client.terminal.open({ key: "both", cwd: "~", shell: "/bin/sh" });
  const opened = await Promise.all([open(), open(), open()]);
  expect(new Set(opened.map(({ process }) => process.id)).size).toBe(1);
  expect(opened.filter(({ reused }) => !reused)).toHaveLength(1);
});

test("it is the user's shell, in a directory that `~` may name, with a terminal's environment only", async () => {
  writeFileSync(join(testDirectory(), ".profile"), "export FROM_PROFILE=yes\n");
  const { home } = await openDaemonHome({
    environment: { SHELL: "/bin/bash", AWS_SECRET_ACCESS_KEY: "hidden", OF_THE_DAEMON: "its own" },
  });
  const client = await connectedClient({ home });
  directory("project");
  const { process } = await client.terminal.open({ key: "env", cwd: "~/project" });
  expect(process.cwd).toBe(join(testDirectory(), "project"));
  expect(process.argv[1]).toBe("-l");
  const viewer = openViewer(client, process.id, { keyboard: true });
  await viewer.until(({ hasKeyboard }) => hasKeyboard, "the keyboard");
  await viewer.type(
    'pwd; tty | cut -c1-8; echo "$FROM_PROFILE <$AWS_SECRET_ACCESS_KEY$OF_THE_DAEMON> $TERM"\r',
  );
  await viewer.until(({ lines }) => lines.includes("yes <> xterm-256color"), "the variables");
  expect(viewer.lines).toContain(join(testDirectory(), "project"));
  expect(viewer.lines).toContain("/dev/pts");
});

test("what cannot be opened says why, and nothing is ended for it", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const here = directory("here");
  const { process } = await client.terminal.open({ key: "k", cwd: here, shell: "/bin/sh" });
  const file = join(here, "file");
  writeFileSync(file, "");
  for (const cwd of [file, join(here, "missing")]) {
    await expect(client.terminal.open({ key: "k", cwd })).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
  }
  await expect(client.terminal.open({ key: "k", cwd: "relative" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(await stateOf(client, process.id)).toBe("running");
  const shell = "/no/such/shell";
  for (const [key, restart] of [
    ["no", false],
    ["k", true],
  ] as const)
    await expect(client.terminal.open({ key, cwd: here, shell, restart })).rejects.toMatchObject({
      code: "SHELL_NOT_STARTED",
      message: expect.stringMatching(/\/no\/such\/shell could not be started: .*[Nn]o such file/) as string,
    });
  expect(await stateOf(client, process.id)).toBe("running");
});

test("there may be so many, and one more when one is ended or replaced", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  await client.config.set({ key: "terminal.maxOpen", value: 2 });
  const shell = "/bin/sh";
  await client.terminal.open({ key: "a", cwd: "~", shell });
  const second = await client.terminal.open({ key: "b", cwd: "~", shell });
  const third = { key: "c", cwd: "~", shell };
  await expect(client.terminal.open(third)).rejects.toMatchObject({
    code: "TOO_MANY_TERMINALS",
    details: { open: 2, most: 2 },
  });
  expect((await client.terminal.open({ key: "b", cwd: "~", shell, restart: true })).replaced).toBe(
    second.process.id,
  );
  const { terminals } = await client.terminal.list({});
  await client.process.stop({ ids: terminals.map(({ process }) => process.id), graceMs: 0 });
  expect((await client.terminal.open(third)).reused).toBe(false);
});

test("it outlives the daemon and is found by its key", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { process } = await client.terminal.open({ key: "long", cwd: "~", shell: "/bin/sh" });
  await daemon.kill();
  await daemon.start();
  const again = await client.terminal.open({ key: "long", cwd: "~", shell: "/bin/sh" });
  expect(again).toMatchObject({ reused: true, process: { id: process.id } });
});

test("one that nobody looks at is ended when the configuration says so, and only then", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const shell = "/bin/sh";
  const watched = await client.terminal.open({ key: "watched", cwd: "~", shell });
  const alone = await client.terminal.open({ key: "alone", cwd: "~", shell });
  const viewer = openViewer(client, watched.process.id);
  await viewer.until(({ screens }) => screens.length > 0, "a screen");
  await client.config.set({ key: "terminal.idleMs", value: 1_000 });
  const ended = await client.process.wait({ ids: [alone.process.id], timeoutMs: 40_000 });
  expect(ended.results[0]?.process).toMatchObject({ state: "ended", stopReason: "idle" });
  expect(await stateOf(client, watched.process.id)).toBe("running");
});
