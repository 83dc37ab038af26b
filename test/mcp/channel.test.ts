// Notices pushed into a session of a client that takes them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { idOf, openAgent, type AgentOptions } from "../support/mcp-client.ts";

const params = z.object({ content: z.string(), meta: z.record(z.string(), z.string()) });

async function firstPush(
  options: AgentOptions,
): Promise<{ id: string; push: z.output<typeof params>; unseen: string }> {
  const home = openCliHome();
  const agent = await openAgent(home, options);
  const pushed = Promise.withResolvers<z.output<typeof params>>();
  agent.client.setNotificationHandler("notifications/claude/channel", { params }, pushed.resolve);
  expect(agent.client.getServerCapabilities()?.experimental).toHaveProperty(["claude/channel"]);
  const gate = join(home.home, "gate");
  const command = `until [ -e '${gate}' ]; do sleep 0.05; done; echo all done`;
  const started = await agent.call("terminal", { command, background: true });
  writeFileSync(gate, "");
  const push = await pushed.promise;
  return { id: idOf(started), push, unseen: (await agent.call("notifications")).text };
}

test.each<[string, AgentOptions]>([
  ["Claude Code", { name: "claude-code" }],
  ["any client, when asked for", { args: ["--channel"] }],
])("%s is told of an end as it comes; it stays unseen until it is read", async (_name, options) => {
  const { id, push, unseen } = await firstPush(options);
  expect(push.content).toContain("all done");
  expect(push.meta).toMatchObject({ source: "holdfast", kind: "process.ended", process: id });
  expect(unseen).toContain(id);
});
