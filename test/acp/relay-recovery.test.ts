// What of editor, relay, agent and daemon may be killed: all of them, and the terminals are there.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginSession, openAcpEditor, type AcpEditor } from "../support/acp-editor.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { newTestHome } from "../support/test-home.ts";

/** A shell takes a moment to say its first word. */
async function untilWritten(
  editor: AcpEditor,
  asked: { sessionId: string; terminalId: string },
): Promise<void> {
  const look = async (): Promise<unknown> => {
    const { results } = await editor.prompt(asked.sessionId, [{ request: "terminal/output", params: asked }]);
    return results[0]?.result?.["output"];
  };
  await expect.poll(look, { timeout: 20_000 }).not.toBe("");
}

async function killDaemon(cli: CliHome): Promise<void> {
  const { pid } = await cli.json<{ pid: number }>(["daemon", "status", "--json"]);
  process.kill(pid, "SIGKILL");
}

test("kill -9 of the daemon while the agent waits: a new one is started, and nothing is missing", async () => {
  const cli = openCliHome();
  const editor = openAcpEditor(cli);
  const sessionId = await beginSession(editor);
  const go = join(newTestHome(), "go");
  const script = `echo one; until test -e ${go}; do sleep 0.1; done; echo two; exit 7`;
  const made = await editor.prompt(sessionId, [
    { request: "terminal/create", params: { sessionId, command: script } },
  ]);
  const terminalId = String(made.results[0]?.result?.["terminalId"]);
  const asked = { sessionId, terminalId };
  await untilWritten(editor, asked);
  const waiting = editor.prompt(sessionId, [
    { request: "terminal/wait_for_exit", params: asked },
    { request: "terminal/output", params: asked },
  ]);
  await killDaemon(cli);
  const { results } = await editor.prompt(sessionId, [{ request: "terminal/output", params: asked }]);
  expect(results[0]).toEqual({ result: { output: "one\n", truncated: false, exitStatus: null } });
  writeFileSync(go, "");
  const exitStatus = { exitCode: 7, signal: null };
  expect((await waiting).results).toEqual([
    { result: exitStatus },
    { result: { output: "one\ntwo\n", truncated: false, exitStatus } },
  ]);
});

test("relay, agent and daemon are killed: the next editor loads the session and has its terminal again", async () => {
  const cli = openCliHome();
  const environment = { AGENT_SESSION: "the same session" };
  const first = openAcpEditor(cli, { environment });
  const sessionId = await beginSession(first);
  const create = {
    request: "terminal/create",
    params: { sessionId, command: "echo kept; exec sleep 600", outputByteLimit: 4 },
  };
  const made = await first.prompt(sessionId, [create]);
  const terminalId = String(made.results[0]?.result?.["terminalId"]);
  const asked = { sessionId, terminalId };
  await untilWritten(first, asked);
  await killDaemon(cli);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = openAcpEditor(cli, { environment });
  await second.agent.request("initialize", { protocolVersion: 1 });
  await second.agent.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
  const update = {
    sessionUpdate: "tool_call",
    toolCallId: "c1",
    title: "run",
    content: [{ type: "terminal", terminalId }],
  };
  const { results } = await second.prompt(sessionId, [
    { request: "terminal/output", params: asked },
    { notify: "session/update", params: { sessionId, update } },
    { request: "terminal/kill", params: asked },
    { request: "terminal/wait_for_exit", params: asked },
  ]);
  expect(results).toMatchObject([
    { result: { output: "ept\n", truncated: true, exitStatus: null } },
    {},
    { result: {} },
    { result: { exitCode: null, signal: "SIGTERM" } },
  ]);
  expect(JSON.stringify(second.updates[0])).toContain("kept");
});

test("an editor that goes takes its agent along, not what the agent has started", async () => {
  const cli = openCliHome();
  const editor = openAcpEditor(cli);
  const sessionId = await beginSession(editor);
  await editor.prompt(sessionId, [
    { request: "terminal/create", params: { sessionId, command: "sleep", args: ["600"] } },
  ]);
  editor.child.stdin?.end();
  expect(await editor.ended).toBe(0);
  const label = `acp-session=${sessionId}`;
  expect((await cli.run(["ps", "--label", label])).stdout).toMatch(/running/);
});
