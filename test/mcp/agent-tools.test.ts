// The same tools in other SDKs: the Vercel AI SDK runs them itself, function schemas are run by hand.
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { agentTools, anthropicTools, openAiTools, type AgentTools } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

async function openTools(): Promise<AgentTools> {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "sdk" });
  return agentTools(client, { session: "sdk", start: { cwd: "/" } });
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

test("the Vercel AI SDK hands a model's call to the tool, and the answer back to the model", async () => {
  const { aiSdk } = await openTools();
  const model = new MockLanguageModelV3({
    doGenerate: [
      {
        content: [
          {
            type: "tool-call",
            toolCallId: "1",
            toolName: "terminal",
            input: JSON.stringify({ command: "echo from the sdk; exit 3", timeout: "20" }),
          },
        ],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
  const { steps, text } = await generateText({ model, tools: aiSdk, prompt: "go", stopWhen: stepCountIs(3) });
  expect(text).toBe("done");
  expect(steps[0]?.toolResults[0]?.output).toMatch(/^exit 3 [^]*\n {2}\| from the sdk$/);
  const offered = model.doGenerateCalls[0]?.tools ?? [];
  expect(offered.map(({ name }) => name)).toEqual(["terminal", "process", "notifications"]);
});

test("function schemas name the same arguments, and their calls are run by name", async () => {
  const tools = await openTools();
  const [terminal] = anthropicTools();
  const [sameTerminal] = openAiTools();
  expect(terminal?.input_schema).toMatchObject({ type: "object", required: ["command"] });
  expect(sameTerminal?.function.parameters).toEqual(terminal?.input_schema);
  const told = await tools.run("terminal", { command: "exit 3" });
  expect(told).toMatchObject({ isError: false, structured: { exitCode: 3 } });
  expect(await tools.run("nonsense", {})).toMatchObject({
    isError: true,
    structured: { error: { code: "NOT_FOUND" } },
  });
  expect(await tools.run("terminal", "text")).toMatchObject({ isError: true });
  const giveUp = new AbortController();
  const waiting = tools.run("terminal", { command: "exec sleep 60" }, { signal: giveUp.signal });
  const list = async (): Promise<string> => (await tools.run("process", { action: "list" })).text;
  await expect.poll(list).toContain("running");
  giveUp.abort();
  expect((await waiting).isError).toBe(true);
  expect(await list()).toContain("running");
});
