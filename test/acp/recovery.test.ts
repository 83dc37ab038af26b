// The point of it: what is killed in the middle, and that nothing is lost by it.
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openAcpPair } from "../support/acp-pair.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

const deadline = { timeout: 20_000 };

test("kill -9 of the daemon while an agent waits: the wait goes on, the output and the exit are whole", async () => {
  const daemon = await openDaemonHome();
  const agent = openAcpPair(await connectedClient({ home: daemon.home, reconnectMs: 60_000 }));
  const script = 'echo one; read -r line < "$0"; echo two; exit 7';
  const fifo = `${daemon.home}/go`;
  const made = await agent.createTerminal({ sessionId: "s1", command: "mkfifo", args: [fifo] });
  await made.waitForExit();
  const terminal = await agent.createTerminal({
    sessionId: "s1",
    command: "sh",
    args: ["-c", script, fifo],
    outputByteLimit: 5,
  });
  await expect.poll(async () => (await terminal.currentOutput()).output, deadline).toBe("one\n");
  const waiting = terminal.waitForExit();
  await daemon.kill();
  const reading = terminal.currentOutput();
  await daemon.start();
  expect(await reading).toEqual({ output: "one\n", truncated: false, exitStatus: null });
  // Nobody but the process itself has the other end: it was never let go of.
  await writeFile(fifo, "go\n");
  expect(await waiting).toEqual({ exitCode: 7, signal: null });
  expect(await terminal.currentOutput()).toEqual({
    output: "\ntwo\n",
    truncated: true,
    exitStatus: { exitCode: 7, signal: null },
  });
});

test("a command that is being started when the daemon is killed runs once", async () => {
  const daemon = await openDaemonHome();
  const agent = openAcpPair(await connectedClient({ home: daemon.home, reconnectMs: 60_000 }));
  const commands = Array.from({ length: 8 }, (_, index) => `echo ${index}; sleep 600`);
  const creating = commands.map((command) => agent.createTerminal({ sessionId: "s1", command }));
  await daemon.kill();
  await daemon.start();
  const terminals = await Promise.all(creating);
  expect(new Set(terminals.map(({ id }) => id)).size).toBe(8);
  const { body } = await daemon.call("process.list", { labels: { "acp-session": "s1" } });
  const { processes } = body as { processes: { command: string }[] }; // as the daemon answers
  expect(processes.map(({ command }) => command).toSorted()).toEqual(commands.toSorted());
  await Promise.all(terminals.map((terminal) => terminal.release()));
});

test("editor and agent are gone: the next ones, with the same session, go on with the same id", async () => {
  const daemon = await openDaemonHome();
  const first = openAcpPair(await connectedClient({ home: daemon.home, reconnectMs: 60_000 }), {
    agent: "a",
  });
  const { id } = await first.createTerminal({
    sessionId: "s1",
    command: "echo kept; sleep 600",
    outputByteLimit: 3,
  });
  await daemon.kill();
  await daemon.start();
  const second = openAcpPair(await connectedClient({ home: daemon.home, reconnectMs: 60_000 }), {
    agent: "a",
  });
  const asked = { sessionId: "s1", terminalId: id };
  await expect
    .poll(() => second.request("terminal/output", asked), deadline)
    .toEqual({ output: "pt\n", truncated: true, exitStatus: null });
  await second.request("terminal/kill", asked);
  expect(await second.request("terminal/wait_for_exit", asked)).toEqual({
    exitCode: null,
    signal: "SIGTERM",
  });
});
