// `holdfast acp-terminal` between an editor and an agent, both by the official SDK.
import { mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginSession, openAcpEditor } from "../support/acp-editor.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome } from "../support/cli-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

function embed(terminalId: string): object[] {
  return [{ type: "terminal", terminalId }];
}

test("an editor without terminals: the agent has them, everything else passes, and what they write is shown as text", async () => {
  const directory = realpathSync(mkdtempSync(join(testDirectory(), "w-")));
  const editor = openAcpEditor(openCliHome(), { environment: { AGENT_EXIT: "5" } });
  const sessionId = await beginSession(editor, { cwd: directory });
  const toolCall = { toolCallId: "c1", title: "run" };
  const { results, told } = await editor.prompt(sessionId, [
    { request: "terminal/create", params: { sessionId, command: "pwd; echo '```'; echo done >&2" } },
    {
      notify: "session/update",
      params: { sessionId, update: { sessionUpdate: "tool_call", ...toolCall, content: embed("$terminal") } },
    },
    { request: "terminal/wait_for_exit", params: { sessionId, terminalId: "$terminal" } },
    { request: "terminal/output", params: { sessionId, terminalId: "$terminal" } },
    {
      notify: "session/update",
      params: {
        sessionId,
        update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
      },
    },
    { request: "fs/read_text_file", params: { sessionId, path: "/a" } },
    {
      request: "session/request_permission",
      params: {
        sessionId,
        toolCall: { ...toolCall, content: embed("$terminal") },
        options: [{ optionId: "a", name: "a", kind: "allow_once" }],
      },
    },
    { request: "terminal/release", params: { sessionId, terminalId: "$terminal" } },
    { request: "terminal/output", params: { sessionId, terminalId: "$terminal" } },
    { request: "terminal/create", params: { sessionId, command: "/no/such" } },
  ]);
  expect(told).toMatchObject({ terminal: true });
  const output = `${directory}\n\`\`\`\ndone\n`;
  expect(results.slice(2, 4)).toEqual([
    { result: { exitCode: 0, signal: null } },
    { result: { output, truncated: false, exitStatus: { exitCode: 0, signal: null } } },
  ]);
  expect(results[5]).toEqual({ result: { content: "content of /a" } });
  expect(results[8]).toMatchObject({ error: { code: -32002 } });
  expect(results[9]).toMatchObject({ error: { code: -32602 } });
  // More ticks around it than the process has printed.
  const text = `\`\`\`\`\npwd; echo '\`\`\`'; echo done >&2\n${output}\`\`\`\``;
  const shown = [{ type: "content", content: { type: "text", text } }];
  expect(editor.updates).toHaveLength(2);
  expect(editor.updates[1]?.update).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "c1",
    status: "completed",
    content: shown,
  });
  // The editor of these tests chooses what it was shown.
  expect(results[6]).toMatchObject({ result: { outcome: { optionId: expect.any(String) as string } } });
  const { optionId } = (results[6]?.result ?? {})["outcome"] as { optionId: string }; // just seen
  expect(JSON.parse(optionId)).toEqual(shown);
  expect(editor.asked).toEqual(["fs/read_text_file", "session/request_permission"]);
  expect(await editor.agent.request("_extension/echo", { any: [1, "ä"] })).toEqual({ any: [1, "ä"] });
  // The editor goes, and so does the agent, with its own exit code.
  editor.child.stdin?.end();
  expect(await editor.ended).toBe(5);
});

test("an editor with terminals shows ours in its own, which only look on", async () => {
  const cli = openCliHome();
  const editor = openAcpEditor(cli, { hasTerminals: true });
  const sessionId = await beginSession(editor, { hasTerminals: true });
  const create = { request: "terminal/create", params: { sessionId, command: "echo shown; exec sleep 600" } };
  const update = { sessionUpdate: "tool_call", toolCallId: "c1", title: "run", content: embed("$terminal") };
  const { results } = await editor.prompt(sessionId, [
    create,
    { notify: "session/update", params: { sessionId, update } },
  ]);
  const terminalId = String(results[0]?.result?.["terminalId"]);
  const viewer = editor.terminals.get("editor-1");
  expect(viewer?.args.slice(1)).toEqual(["logs", "--follow", terminalId]);
  expect(editor.updates[0]?.update).toMatchObject({ content: embed("editor-1") });
  await expect.poll(() => viewer?.output, { timeout: 20_000 }).toBe("shown\n");
  const after = await editor.prompt(sessionId, [
    { request: "terminal/kill", params: { sessionId, terminalId } },
    { request: "terminal/wait_for_exit", params: { sessionId, terminalId } },
    { request: "terminal/release", params: { sessionId, terminalId } },
  ]);
  expect(after.results[1]).toEqual({ result: { exitCode: null, signal: "SIGTERM" } });
  await expect.poll(() => viewer?.isReleased, { timeout: 20_000 }).toBe(true);
  expect(editor.asked).toEqual(["terminal/create", "terminal/wait_for_exit", "terminal/release"]);
});

test("a wait the agent cancels; an agent of a later version; one that cannot be started", async () => {
  const cli = openCliHome();
  const editor = openAcpEditor(cli);
  const sessionId = await beginSession(editor);
  const { results } = await editor.prompt(sessionId, [
    { request: "terminal/create", params: { sessionId, command: "sleep", args: ["600"] } },
    { request: "terminal/wait_for_exit", params: { sessionId, terminalId: "$terminal" }, cancel: true },
    { request: "terminal/output", params: { sessionId, terminalId: "$terminal" } },
    { request: "terminal/release", params: { sessionId, terminalId: "$terminal" } },
  ]);
  expect(results[1]).toMatchObject({ error: { code: -32800 } });
  expect(results[2]).toMatchObject({ result: { exitStatus: null } });
  const later = openAcpEditor(cli, { environment: { AGENT_VERSION: "2" } });
  // The SDK of the editor accepts no other version: what passes is what counts here.
  await later.agent.request("initialize", { protocolVersion: 1 }).catch(() => undefined);
  const raw = await later.prompt("s1", [
    { request: "terminal/create", params: { sessionId: "s1", command: "true" } },
  ]);
  expect(raw.results[0]).toMatchObject({ error: { code: -32601 } });
  const none = await cli.run(["acp-terminal", "--", "/no/such/agent"]);
  expect(none).toMatchObject({ code: 70, stdout: "" });
  expect(none.stderr).toContain("ENOENT");
});

test("an installed package relays without sources and packages", async () => {
  const { cli: program } = buildPackage();
  const editor = openAcpEditor(openCliHome(newTestHome(), program), { program });
  const sessionId = await beginSession(editor);
  const { results } = await editor.prompt(sessionId, [
    { request: "terminal/create", params: { sessionId, command: "echo", args: ["installed"] } },
    { request: "terminal/wait_for_exit", params: { sessionId, terminalId: "$terminal" } },
    { request: "terminal/output", params: { sessionId, terminalId: "$terminal" } },
  ]);
  expect(results[2]).toMatchObject({ result: { output: "installed\n" } });
});
