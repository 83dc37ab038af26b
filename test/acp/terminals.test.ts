// The terminal methods of ACP by the library adapter: the official SDK on both ends, a real daemon behind it.
import { mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { AgentContext } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { openAcpPair } from "../support/acp-pair.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { testDirectory } from "../support/test-home.ts";

const deadline = { timeout: 20_000 };

async function openPair(
  options: Parameters<typeof openAcpPair>[1] = {},
): Promise<{ agent: AgentContext; daemon: DaemonHome }> {
  const daemon = await openDaemonHome();
  return { daemon, agent: openAcpPair(await connectedClient({ home: daemon.home }), options) };
}

test("a command with arguments, variables and a directory; its output, its exit; then it is released", async () => {
  const { agent } = await openPair({
    start: { environment: { caller: { PATH: process.env["PATH"] ?? "" } } },
  });
  const directory = realpathSync(mkdtempSync(join(testDirectory(), "w-")));
  const script = 'pwd; printf "%s\\n" "$GREETING" "$@"; echo failed >&2; exit 3';
  const terminal = await agent.createTerminal({
    sessionId: "s1",
    command: "sh",
    args: ["-c", script, "sh", "two words", "$HOME; `id`"],
    env: [{ name: "GREETING", value: "grüße" }],
    cwd: directory,
  });
  expect(terminal.id).toMatch(/^p_/);
  expect(await terminal.waitForExit()).toEqual({ exitCode: 3, signal: null });
  const lines = [directory, "grüße", "two words", "$HOME; `id`", "failed", ""];
  const told = { output: lines.join("\n"), truncated: false, exitStatus: { exitCode: 3, signal: null } };
  expect(await terminal.currentOutput()).toEqual(told);
  await terminal.kill(); // nothing runs any more: no error
  expect(await terminal.currentOutput()).toEqual(told);
  await terminal.release();
  const gone = { code: -32002 };
  await expect(terminal.currentOutput()).rejects.toMatchObject(gone);
  await expect(terminal.waitForExit()).rejects.toMatchObject(gone);
  await expect(terminal.kill()).rejects.toMatchObject(gone);
  await expect(terminal.release()).rejects.toMatchObject(gone);
});

test("a line without arguments is a shell's; a command without a directory runs where its session works", async () => {
  const directory = realpathSync(mkdtempSync(join(testDirectory(), "w-")));
  const { agent } = await openPair({
    directoryOf: (sessionId) => (sessionId === "here" ? directory : undefined),
  });
  const line = await agent.createTerminal({ sessionId: "here", command: "pwd && echo $((6 * 7)) | cat" });
  await line.waitForExit();
  expect((await line.currentOutput()).output).toBe(`${directory}\n42\n`);
  const word = await agent.createTerminal({
    sessionId: "here",
    command: "true",
    args: null as unknown as string[],
  });
  expect(await word.waitForExit()).toEqual({ exitCode: 0, signal: null });
});

test("output is cut at its beginning, between characters, and told as cut", async () => {
  const { agent } = await openPair();
  const run = async (
    command: string,
    outputByteLimit: number,
  ): Promise<{ output: string; truncated: boolean }> => {
    const terminal = await agent.createTerminal({ sessionId: "s1", command, outputByteLimit });
    await terminal.waitForExit();
    const { output, truncated } = await terminal.currentOutput();
    return { output, truncated };
  };
  expect(await run("printf 12345", 5)).toEqual({ output: "12345", truncated: false });
  expect(await run("printf 12345", 4)).toEqual({ output: "2345", truncated: true });
  expect(await run("printf 12345", 0)).toEqual({ output: "", truncated: true });
  // ä has two bytes, € three, 😀 four: whatever the limit cuts, no half of one is told.
  for (const [limit, output] of [
    [9, "ä€😀"],
    [8, "€😀"],
    [7, "€😀"],
    [6, "😀"],
    [4, "😀"],
    [3, ""],
  ] as const) {
    expect(await run("printf 'ä€😀'", limit), String(limit)).toEqual({ output, truncated: limit < 9 });
  }
  const long = await run("seq 1 400000", 3_000_000);
  expect(Buffer.byteLength(long.output)).toBeLessThanOrEqual(3_000_000);
  expect(long.output.endsWith("\n399999\n400000\n")).toBe(true);
  expect(long.output.length).toBe(2_688_895);
  expect(long.truncated).toBe(false);
});

test("kill ends the whole tree and leaves the terminal readable; release ends what still runs", async () => {
  const { agent, daemon } = await openPair();
  const terminal = await agent.createTerminal({
    sessionId: "s1",
    command: "echo begun; sleep 600 & sleep 600",
  });
  await expect.poll(async () => (await terminal.currentOutput()).output, deadline).toBe("begun\n");
  expect((await terminal.currentOutput()).exitStatus).toBeNull();
  const waiting = terminal.waitForExit();
  await terminal.kill();
  expect(await waiting).toEqual({ exitCode: null, signal: "SIGTERM" });
  expect(await terminal.currentOutput()).toEqual({
    output: "begun\n",
    truncated: false,
    exitStatus: { exitCode: null, signal: "SIGTERM" },
  });
  const second = await agent.createTerminal({ sessionId: "s1", command: "sleep", args: ["600"] });
  await second.release();
  const { body } = await daemon.call("process.get", { id: second.id });
  expect(body).toMatchObject({ state: "ended", stopReason: "user", labels: { "acp-session": "s1" } });
});

test("a terminal is its session's alone, and nothing else of the home is one", async () => {
  const { agent, daemon } = await openPair();
  const mine = await agent.createTerminal({ sessionId: "s1", command: "echo secret" });
  const { body } = await daemon.call("process.start", { command: ["sleep", "600"], name: "web" });
  const other = (body as { id: string }).id; // as the daemon answers
  for (const [sessionId, terminalId] of [
    ["s2", mine.id],
    ["s1", other],
    ["s1", "web"],
    ["s1", mine.id.slice(0, 8)],
    ["s1", "no such"],
  ] as const) {
    for (const method of [
      "terminal/output",
      "terminal/wait_for_exit",
      "terminal/kill",
      "terminal/release",
    ] as const) {
      await expect(
        agent.request(method, { sessionId, terminalId }),
        `${method} ${terminalId}`,
      ).rejects.toMatchObject({ code: -32002 });
    }
  }
  expect((await daemon.call("process.get", { id: other })).body).toMatchObject({ state: "running" });
});

test("what cannot be started, or is asked wrongly, is an error that says why", async () => {
  const { agent } = await openPair();
  const create = (params: object): Promise<unknown> =>
    agent.request("terminal/create", { sessionId: "s1", ...params } as never);
  await expect(create({ command: "/no/such/program" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("cannot be started") as string,
  });
  await expect(create({ command: "true", cwd: "relative" })).rejects.toMatchObject({ code: -32602 });
  await expect(create({ command: "true", cwd: "/no/such/directory" })).rejects.toMatchObject({
    code: -32602,
  });
  await expect(create({ command: "true", outputByteLimit: -1 })).rejects.toMatchObject({ code: -32602 });
  await expect(create({ command: "" })).rejects.toMatchObject({ code: -32602 });
  await expect(create({})).rejects.toMatchObject({ code: -32602 });
  await expect(create({ command: "true", env: [{ name: "A=B", value: "" }] })).rejects.toMatchObject({
    code: -32602,
  });
});

test("a wait that is cancelled ends; the command goes on", async () => {
  const { agent } = await openPair();
  const terminal = await agent.createTerminal({ sessionId: "s1", command: "sleep", args: ["600"] });
  const cancelling = new AbortController();
  const waiting = agent.request(
    "terminal/wait_for_exit",
    { sessionId: "s1", terminalId: terminal.id },
    { cancellationSignal: cancelling.signal },
  );
  cancelling.abort();
  await expect(waiting).rejects.toMatchObject({ code: -32800 });
  expect((await terminal.currentOutput()).exitStatus).toBeNull();
});

test("secrets that a command prints are taken out, and a terminal of its own is given when asked for", async () => {
  const { agent } = await openPair({ pty: true });
  const token = `ghp_${"a1B2".repeat(9)}`;
  const terminal = await agent.createTerminal({
    sessionId: "s1",
    command: `test -t 1 && echo tty; echo ${token}`,
  });
  await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  expect(output).toContain("tty");
  expect(output).not.toContain(token);
});
