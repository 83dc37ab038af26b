// Processes and their output as resources, with subscriptions in both eras.
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { idOf, openAgent, openHttpAgent, untilTold, type Agent } from "../support/mcp-client.ts";

/** URIs as they are told; each wait gets one more. */
function heardUpdates({ client }: Agent): { next(uri: string): Promise<void> } {
  const heard = new Set<string>();
  let wake = (): void => undefined;
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.add(params.uri);
    wake();
  });
  return {
    next: async (uri) => {
      const deadline = AbortSignal.timeout(20_000);
      while (!heard.has(uri)) {
        deadline.throwIfAborted();
        await new Promise<void>((resolve) => {
          wake = resolve;
          deadline.addEventListener("abort", () => resolve());
        });
      }
      heard.delete(uri);
    },
  };
}

/** The state that is read after the last update. */
async function stateAfterUpdates(
  agent: Agent,
  subscribe: (uri: string) => Promise<unknown>,
): Promise<unknown> {
  const { client } = agent;
  const id = idOf(await agent.call("terminal", { command: "cat", background: true, workdir: "/" }));
  const { resources } = await client.listResources();
  const uri = `holdfast://process/${id}`;
  expect(resources.map((resource) => resource.uri)).toEqual([uri, `${uri}/output`]);
  const updates = heardUpdates(agent);
  await subscribe(uri);
  await subscribe(`${uri}/output`);
  await agent.call("process", { action: "submit", id, data: "hello" });
  await updates.next(`${uri}/output`);
  const read = await client.readResource({ uri: `${uri}/output` });
  expect(read.contents[0]).toMatchObject({ mimeType: "text/plain", text: "  | hello" });
  await agent.call("process", { action: "kill", id });
  await updates.next(uri);
  const facts = await client.readResource({ uri });
  await expect(client.readResource({ uri: "holdfast://process/p_none" })).rejects.toMatchObject({
    code: expect.any(Number) as number,
  });
  const process = JSON.parse((facts.contents[0] as { text: string }).text) as { state: string };
  return process.state;
}

test("stdio, legacy: subscribe and be told", async () => {
  const agent = await openAgent(openCliHome());
  expect(await stateAfterUpdates(agent, (uri) => agent.client.subscribeResource({ uri }))).toBe("ended");
});

test("stdio, modern: listen and be told", async () => {
  const agent = await openAgent(openCliHome(), { era: "modern" });
  expect(await stateAfterUpdates(agent, (uri) => agent.client.listen({ resourceSubscriptions: [uri] }))).toBe(
    "ended",
  );
});

test("HTTP, modern: listen and be told", async () => {
  const agent = await openHttpAgent(await openDaemonHome(), { era: "modern" });
  expect(await stateAfterUpdates(agent, (uri) => agent.client.listen({ resourceSubscriptions: [uri] }))).toBe(
    "ended",
  );
});

test("what nobody subscribed to is not told", async () => {
  const agent = await openAgent(openCliHome());
  const told: string[] = [];
  agent.client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params.uri),
  );
  const id = idOf(await agent.call("terminal", { command: "echo a", background: true }));
  await untilTold(agent, { action: "wait", id }, ({ facts }) => facts["state"] === "ended");
  const uri = `holdfast://process/${id}`;
  await agent.client.subscribeResource({ uri });
  await agent.client.unsubscribeResource({ uri });
  await agent.call("process", { action: "rename", id, name: "renamed" });
  await agent.call("process", { action: "list" });
  expect(told).toEqual([]);
});
