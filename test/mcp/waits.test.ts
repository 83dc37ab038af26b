// Waits: progress while they last, and what giving one up does to a process, which is nothing.
import type { Progress } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { eras, idOf, openAgent, openHttpAgent, untilTold, type Agent } from "../support/mcp-client.ts";

/** How many of two processes run after whoever waited for them gave up. */
async function runningAfterGivingUp(agent: Agent): Promise<number> {
  const started = await agent.call("terminal", {
    command: "echo up; exec sleep 60",
    background: true,
    workdir: "/",
  });
  const id = idOf(started);
  const giveUp = new AbortController();
  const begun = Promise.withResolvers<void>();
  const waiting = agent.client.callTool(
    { name: "process", arguments: { action: "wait", id, timeout: 40 } },
    { signal: giveUp.signal, onprogress: () => begun.resolve() },
  );
  waiting.catch(() => undefined); // looked at below
  await begun.promise;
  giveUp.abort(new Error("given up"));
  await expect(waiting).rejects.toThrow("given up");
  const alsoGiveUp = new AbortController();
  const command = agent.client.callTool(
    { name: "terminal", arguments: { command: "echo begun; exec sleep 61", workdir: "/" } },
    { signal: alsoGiveUp.signal },
  );
  command.catch(() => undefined); // looked at below
  await untilTold(agent, { action: "list" }, ({ text }) => /: running .*sleep 61/.test(text));
  alsoGiveUp.abort(new Error("this too"));
  await expect(command).rejects.toThrow("this too");
  const listed = await agent.call("process", { action: "list" });
  expect((await agent.call("process", { action: "poll", id })).facts).toMatchObject({ state: "running" });
  return listed.text.match(/running/g)?.length ?? 0;
}

test.each(eras)(
  "stdio, %s: a cancelled wait leaves the process alone, and so does a cancelled command",
  async (era) => {
    expect(await runningAfterGivingUp(await openAgent(openCliHome(), { era }))).toBe(2);
  },
);

test.each(eras)(
  "HTTP, %s: a closed stream leaves the process alone, and so does a cancelled command",
  async (era) => {
    expect(await runningAfterGivingUp(await openHttpAgent(await openDaemonHome(), { era }))).toBe(2);
  },
);

test("a client that gives a token hears how a wait stands; closing the client ends no process", async () => {
  const home = openCliHome();
  const agent = await openAgent(home);
  const heard: Progress[] = [];
  const result = await agent.client.callTool(
    { name: "terminal", arguments: { command: "echo step one; exec sleep 60", timeout: 5 } },
    { onprogress: (progress) => heard.push(progress) },
  );
  expect(result.structuredContent).toMatchObject({ state: "running" });
  expect(heard.length).toBeGreaterThan(0);
  expect(heard[0]).toMatchObject({ total: 5 });
  expect(heard.at(-1)?.message).toContain("step one");
  await agent.close();
  const again = await openAgent(home);
  expect((await again.call("process", { action: "list" })).text).toContain("running");
});
