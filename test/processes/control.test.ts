import { expect, test } from "vitest";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { sharedDaemonHome } from "../support/daemon-home.ts";

const shared = await sharedDaemonHome();

test("text, keys and end of input reach a terminal; a retry of the same sequence is not typed twice", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: ["cat"],
    cwd: "/",
    mode: "pty",
    columns: 100,
    rows: 30,
  });
  const writer = { id: "00000000000000aa", sequence: 0 };
  const parts = [{ text: "hello" }, { key: "enter" }];
  expect(await ask(daemon, "process.write", { id, parts, writer })).toMatchObject({ bytes: 6, next: 6 });
  expect(await ask(daemon, "process.write", { id, parts, writer })).toMatchObject({ next: 6 });
  await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "hello" }, timeoutMs: 10_000 });
  expect(await ask(daemon, "process.resize", { id, columns: 120, rows: 40 })).toEqual({
    id,
    columns: 120,
    rows: 40,
  });
  expect(await ask(daemon, "process.get", { id })).toMatchObject({
    columns: 120,
    rows: 40,
    stdin: "open",
    mode: "pty",
  });
  await ask(daemon, "process.write", { id, parts: [{ key: "ctrl-d" }] });
  const waited = await ask(daemon, "process.wait", { ids: [id], timeoutMs: 10_000 });
  expect(waited.results[0]?.process.exit).toEqual({ kind: "exited", code: 0 });
  const { text } = await ask(daemon, "process.output", { id });
  expect(text?.split("hello").length).toBe(3); // once echoed, once by cat
});

test("a program that asks is seen to wait: for a line, for a password, or not at all", async () => {
  const daemon = shared;
  const script =
    'printf "name? "; read name; stty -echo; printf "secret? "; read secret; stty echo; echo done; sleep 1000';
  const { id } = await ask(daemon, "process.start", { command: script, cwd: "/", mode: "pty" });
  const waits = async (): Promise<unknown> => (await ask(daemon, "process.get", { id })).inputWait;
  await expect.poll(waits, { timeout: 10_000 }).toEqual({ waits: "yes", guess: false });
  const secret = { id, parts: [{ text: "hunter2\n" }], secret: true };
  expect(await refused(daemon, "process.write", secret)).toMatchObject({ code: "ECHO_ON" });
  await ask(daemon, "process.write", { id, parts: [{ text: "me\n" }] });
  await expect.poll(waits, { timeout: 10_000 }).toEqual({ waits: "password", guess: false });
  await ask(daemon, "process.write", secret);
  await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "done" }, timeoutMs: 10_000 });
  await expect.poll(waits, { timeout: 10_000 }).toEqual({ waits: "no", guess: false });
  expect((await ask(daemon, "process.output", { id })).text).not.toContain("hunter2");
});

test("a program in raw mode that falls silent after a prompt is guessed to wait, and the answer says that it is a guess", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: 'stty raw -echo; printf "press a key"; sleep 1000',
    cwd: "/",
    mode: "pty",
  });
  const waits = async (): Promise<unknown> => (await ask(daemon, "process.get", { id })).inputWait;
  await expect.poll(waits, { timeout: 10_000 }).toEqual({ waits: "yes", guess: true });
  const busy = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  expect((await ask(daemon, "process.get", { id: busy.id })).inputWait).toEqual({
    waits: "no",
    guess: false,
  });
});

test("stop tells per process what happened, one failure does not stop the rest, and who asked is kept", async () => {
  const daemon = shared;
  const start = (command: string, labels = {}): Promise<{ id: string }> =>
    ask(daemon, "process.start", { command, cwd: "/", labels });
  const gentle = await start("sleep 1000", { group: "g" });
  const stubborn = await start("trap '' TERM; echo armed; while :; do sleep 1; done", { group: "g" });
  await ask(daemon, "process.wait", {
    ids: [stubborn.id],
    for: { kind: "match", text: "armed" },
    timeoutMs: 10_000,
  });
  const ended = await runToEnd(daemon, "true");
  const ids = [gentle.id, stubborn.id, ended, "p_nosuchone999"];
  // Long enough for the gentle one to get its turn.
  const { results, stopped } = await ask(daemon, "process.stop", { ids, graceMs: 5_000 });
  expect(results.map((result) => result.outcome)).toEqual(["ended", "killed", "already_ended", "failed"]);
  expect(results[1]?.killed).toBeGreaterThan(0);
  expect(results[3]?.error?.code).toBe("PROCESS_NOT_FOUND");
  expect(stopped).toBe(2);
  const view = await ask(daemon, "process.get", { id: gentle.id });
  expect(view).toMatchObject({
    stopReason: "user",
    stopBy: { verb: "process.stop" },
    exit: { kind: "signaled", signal: "SIGTERM" },
  });
  expect(await refused(daemon, "process.stop", {})).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("no-kill only asks; a label or a session selects", async () => {
  const daemon = shared;
  const one = await ask(daemon, "process.start", {
    command: "trap '' TERM; echo armed; sleep 1000",
    cwd: "/",
    labels: { k: "1" },
    owner: { session: "s" },
  });
  await ask(daemon, "process.wait", {
    ids: [one.id],
    for: { kind: "match", text: "armed" },
    timeoutMs: 10_000,
  });
  const other = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const asked = await ask(daemon, "process.stop", { labels: { k: "1" }, graceMs: 100, noKill: true });
  expect(asked.results.map(({ id, outcome }) => ({ id, outcome }))).toEqual([
    { id: one.id, outcome: "still_running" },
  ]);
  expect(await ask(daemon, "process.active", { session: "s" })).toMatchObject({
    active: true,
    ids: [one.id],
  });
  await ask(daemon, "process.stop", { session: "s", graceMs: 0 });
  expect(await ask(daemon, "process.active", { session: "s" })).toMatchObject({ active: false });
  expect((await ask(daemon, "process.get", { id: other.id })).state).toBe("running");
});

test("signal, rename and remove; a prefix names a process, an ambiguous or short one does not", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "trap 'echo got; exit 5' USR1; echo armed; while :; do sleep 0.05; done",
    cwd: "/",
  });
  await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "armed" }, timeoutMs: 10_000 });
  expect(await ask(daemon, "process.rename", { id, name: "worker" })).toMatchObject({ name: "worker" });
  expect(await refused(daemon, "process.remove", { ids: [] })).toMatchObject({ code: "INVALID_ARGUMENT" });
  const early = await ask(daemon, "process.remove", { ids: [id] });
  expect(early.results[0]).toMatchObject({ removed: false, error: { code: "PROCESS_RUNNING" } });
  expect(await ask(daemon, "process.signal", { id: "worker", signal: "usr1" })).toMatchObject({
    signal: "SIGUSR1",
    reached: 1,
  });
  await ask(daemon, "process.wait", { ids: [id], timeoutMs: 10_000 });
  expect((await ask(daemon, "process.get", { id: id.slice(0, 6) })).exit).toEqual({
    kind: "exited",
    code: 5,
  });
  expect((await ask(daemon, "process.get", { id: id.slice(2, 8) })).id).toBe(id);
  expect(await refused(daemon, "process.get", { id: id.slice(2, 5) })).toMatchObject({
    code: "PROCESS_NOT_FOUND",
    status: 404,
  });
  expect(await refused(daemon, "process.signal", { id, signal: "NOSUCH" })).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect((await ask(daemon, "process.remove", { ids: [id] })).results).toEqual([{ id, removed: true }]);
  expect(await refused(daemon, "process.output", { id })).toMatchObject({ code: "PROCESS_NOT_FOUND" });
});
