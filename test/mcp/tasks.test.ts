// The Tasks extension on the wire: the official client does not speak it yet, so the requests are written by hand.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { modernRevision } from "../support/mcp-client.ts";
import { unixFetch } from "../support/unix-fetch.ts";

interface Answer {
  readonly status: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

const extension = "io.modelcontextprotocol/tasks";
let ids = 0;

async function ask(
  { socketPath }: DaemonHome,
  method: string,
  params: Record<string, unknown>,
  declares = true,
): Promise<Answer> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": modernRevision,
    "io.modelcontextprotocol/clientInfo": { name: "tasks-agent", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": declares ? { extensions: { [extension]: {} } } : {},
  };
  const name = params["taskId"] ?? params["name"];
  const response = await unixFetch(socketPath)("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": modernRevision,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params: { ...params, _meta: meta } }),
  });
  const text = await response.text();
  return { status: response.status, ...(JSON.parse(text) as object) };
}

const terminal = (command: string): Record<string, unknown> => ({
  name: "terminal",
  arguments: { command, workdir: "/" },
});

async function untilDone(daemon: DaemonHome, taskId: string): Promise<Record<string, unknown>> {
  const deadlineMs = performance.now() + 20_000;
  for (;;) {
    const { result = {} } = await ask(daemon, "tasks/get", { taskId });
    if (result["status"] !== "working") return result;
    if (performance.now() > deadlineMs) throw new Error(`not within 20 s: ${JSON.stringify(result)}`);
  }
}

test("a command that takes longer than a moment is a task; it outlives the daemon, and its result is the tool's", async () => {
  const daemon = await openDaemonHome();
  // On a machine that stalls even this takes longer than a moment, and another one does not.
  const quick = async (): Promise<unknown> =>
    (await ask(daemon, "tools/call", terminal("echo quick"))).result;
  await expect.poll(quick).toMatchObject({ resultType: "complete", structuredContent: { exitCode: 0 } });
  const gate = join(daemon.home, "gate");
  const long = await ask(
    daemon,
    "tools/call",
    terminal(`until [ -e "${gate}" ]; do sleep 0.05; done; echo slow; exit 5`),
  );
  expect(long.result).toMatchObject({
    resultType: "task",
    status: "working",
    ttlMs: null,
    pollIntervalMs: 1_000,
  });
  const taskId = String(long.result?.["taskId"]);
  await daemon.kill();
  await daemon.start();
  expect((await ask(daemon, "tasks/get", { taskId })).result).toMatchObject({ status: "working" });
  writeFileSync(gate, "");
  const done = await untilDone(daemon, taskId);
  expect(done).toMatchObject({
    resultType: "complete",
    status: "completed",
    taskId,
    result: { structuredContent: { exitCode: 5 } },
  });
  expect(JSON.stringify(done["result"])).toContain("slow");
});

test("a task is cancelled; an unknown one and a client that declares nothing are refused", async () => {
  const daemon = await openDaemonHome();
  const { result } = await ask(daemon, "tools/call", terminal("exec sleep 60"));
  const taskId = String(result?.["taskId"]);
  expect((await ask(daemon, "tasks/update", { taskId, inputResponses: {} })).result).toMatchObject({
    resultType: "complete",
  });
  expect((await ask(daemon, "tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
  expect(await untilDone(daemon, taskId)).toMatchObject({ status: "cancelled" });
  expect((await ask(daemon, "tasks/get", { taskId: "p_unknown" })).error).toMatchObject({ code: -32_602 });
  expect((await ask(daemon, "tasks/get", { taskId: taskId.slice(0, 8) })).error).toMatchObject({
    code: -32_602,
  });
  expect((await ask(daemon, "tasks/get", { taskId }, false)).error).toMatchObject({ code: -32_021 });
  // Who declares nothing gets a plain handle.
  const plain = await ask(
    daemon,
    "tools/call",
    { name: "terminal", arguments: { command: "exec sleep 60", workdir: "/", timeout: 1 } },
    false,
  );
  expect(plain.result).toMatchObject({ resultType: "complete", structuredContent: { state: "running" } });
});
