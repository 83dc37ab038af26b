// A command that the policy asks about: the person at the client is asked there, in both eras; elsewhere the answer says what to do. The agent
// itself has no way to allow it.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientOptions, ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../src/protocol/policy.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import {
  eras,
  modernRevision,
  openAgent,
  openHttpAgent,
  type Agent,
  type Era,
  type Told,
} from "../support/mcp-client.ts";
import { writePolicy } from "../support/policy-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const rules = [
  { name: "making", decision: "ask", command: "touch ...", reason: "it makes files" },
  { name: "never", decision: "deny", command: "mkfs ..." },
];
const asking = { profiles: { default: { rules } } };
const withForms: ClientOptions = { capabilities: { elicitation: { form: {} } } };
/** As clients of before there were modes say it. */
const withPlainForms: ClientOptions = { capabilities: { elicitation: {} } };

function openAsking(more: Record<string, unknown> = {}): CliHome {
  const home = newTestHome();
  writePolicy(home, { ...asking, ...more });
  return openCliHome(home);
}

/** The person at this client: what they are asked, and what they say next. */
function personAt({ client }: Agent): {
  asked: ElicitRequestFormParams[];
  says: (next: () => ElicitResult | Promise<ElicitResult>) => void;
} {
  const asked: ElicitRequestFormParams[] = [];
  let say: () => ElicitResult | Promise<ElicitResult> = () => ({ action: "cancel" });
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params as ElicitRequestFormParams); // the only mode this client declares
    return await say();
  });
  return { asked, says: (next) => (say = next) };
}

const accept = (answer: string) => (): ElicitResult => ({ action: "accept", content: { answer } });

async function audit(home: CliHome): Promise<string[]> {
  const entries = await home.json<AuditEntry[]>(["audit", "--json"]);
  return entries.map(({ what, decision, by }) => `${what} ${decision} ${by.replaceAll(/\d+/g, "N")}`);
}

const file = ({ home }: { readonly home: string }): string => `${home}-made`;

async function checkForms(agent: Agent, target: string): Promise<Told[]> {
  const person = personAt(agent);
  const touch = { command: `touch '${target}'`, workdir: "/" };
  const told: Told[] = [];
  for (const answer of [
    () => ({ action: "decline" as const }),
    () => ({ action: "cancel" as const }),
    accept("deny"),
  ]) {
    person.says(answer);
    told.push(await agent.call("terminal", touch));
  }
  expect(existsSync(target)).toBe(false);
  person.says(accept("once"));
  told.push(await agent.call("terminal", touch));
  expect(existsSync(target)).toBe(true);
  person.says(accept("session"));
  told.push(await agent.call("terminal", { ...touch, background: true }));
  told.push(await agent.call("terminal", { ...touch, workdir: "/usr" }));
  expect(person.asked).toHaveLength(5);
  expect(person.asked[0]?.message).toContain(`Command: touch '${target}'`);
  expect(person.asked[0]?.message).toContain("Asked by: making (it makes files)");
  expect(person.asked[0]?.requestedSchema.properties).toMatchObject({
    answer: { enum: ["once", "session", "deny"] },
  });
  return told;
}

function expectAnswers(told: readonly Told[]): void {
  expect(told.map(({ isError }) => isError)).toEqual([true, true, true, false, false, false]);
  for (const { text } of told.slice(0, 3)) expect(text).toContain("APPROVAL_REFUSED: ");
  expect(told[2]?.text).toContain("stop asking");
  expect(told[3]?.facts).toMatchObject({ exitCode: 0 });
}

test.each(eras)(
  "stdio, %s: what the person says in the client's form counts, and only a yes is one",
  async (era) => {
    const home = openAsking();
    const agent = await openAgent(home, { era, client: withForms });
    expectAnswers(await checkForms(agent, file(home)));
    const [, refused, , , , , asked, allowed, ran] = await audit(home);
    expect(refused).toMatch(/^answered deny \S+ \(pid N\) by form in test-agent$/);
    expect(asked).toBe("asked ask policy");
    expect([...(await audit(home))].filter((entry) => entry.startsWith("answered allow"))).toHaveLength(2);
    expect([allowed, ran].join("\n")).toContain("by form in test-agent");
    // Who was answered is not told again by a notice.
    const notices = await agent.call("notifications");
    expect(notices.text).not.toContain("Approval a_");
    const denied = await agent.call("terminal", { command: "mkfs x" });
    expect(denied.text).toMatch(/^POLICY_DENIED: .*\nWhat to do: ./);
  },
);

test("HTTP, modern: the same", async () => {
  const home = newTestHome();
  writePolicy(home, asking);
  const daemon = await openDaemonHome({ home });
  const agent = await openHttpAgent(daemon, { era: "modern", client: withPlainForms });
  const told = await checkForms(agent, file(daemon));
  expectAnswers(told);
  expect(told).toHaveLength(6);
});

async function approvalOf(home: CliHome, session?: string): Promise<string> {
  const open = await home.json<{ id: string; waiting: number }[]>(["approvals", "--json"]);
  expect(open, session).toHaveLength(1);
  return open[0]?.id ?? "";
}

test.each<[string, Era, ClientOptions]>([
  ["without forms", "legacy", {}],
  ["without forms", "modern", {}],
  ["with forms that nobody fills in", "legacy", withForms],
])(
  "%s, %s: the answer says what to do, and the same command runs once a person has allowed it",
  async (_name, era, client) => {
    const home = openAsking();
    await home.run(["config", "set", "mcp.approvalWaitMs", "300"]);
    const agent = await openAgent(home, { era, client });
    const closed = Promise.withResolvers<void>();
    if ("capabilities" in client)
      agent.client.setRequestHandler("elicitation/create", async (_request, { mcpReq }) => {
        await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
        closed.resolve();
        return { action: "cancel" };
      });
    else closed.resolve();
    const touch = { command: `touch '${file(home)}'` };
    const told = await agent.call("terminal", touch);
    const approval = await approvalOf(home);
    expect(told.isError).toBe(true);
    expect(told.text).toContain(
      "APPROVAL_PENDING: A person must allow this command first (making: it makes files",
    );
    expect(told.text).toContain(`holdfast approvals answer ${approval} once`);
    expect(told.text).toContain("you cannot. Then ask for the same command again.");
    expect(told.facts["error"]).toMatchObject({ code: "APPROVAL_PENDING", approval, retryable: false });
    await closed.promise;
    expect(existsSync(file(home))).toBe(false);
    await home.run(["approvals", "answer", approval, "once"]);
    expect((await agent.call("notifications")).text).toContain(approval);
    expect((await agent.call("terminal", touch)).facts).toMatchObject({ exitCode: 0 });
    expect(await audit(home)).toContainEqual(expect.stringMatching(/^answered allow .* by command line$/));
  },
);

test("a person elsewhere answers while the form is open and the call waits: the form closes, the command runs", async () => {
  const home = openAsking();
  const agent = await openAgent(home, { client: withPlainForms });
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  agent.client.setRequestHandler("elicitation/create", async (_request, { mcpReq }) => {
    opened.resolve();
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
    closed.resolve();
    return { action: "decline" };
  });
  const heard: string[] = [];
  const running = agent.client.callTool(
    { name: "terminal", arguments: { command: `touch '${file(home)}'` } },
    { onprogress: ({ message }) => heard.push(message ?? "") },
  );
  await opened.promise;
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(heard[0]).toMatch(/^waits for a person since .*: approval a_/);
  await home.run(["approvals", "answer", await approvalOf(home), "once"]);
  expect((await running).structuredContent).toMatchObject({ exitCode: 0 });
  await closed.promise;
});

test("a caller that gives up while a person is asked gets no process later", async () => {
  const home = openAsking();
  const agent = await openAgent(home);
  const giveUp = new AbortController();
  const running = agent.client.callTool(
    { name: "terminal", arguments: { command: `touch '${file(home)}'` } },
    { signal: giveUp.signal },
  );
  running.catch(() => undefined); // looked at below
  const waiting = async (): Promise<number | undefined> =>
    (await home.json<{ waiting: number }[]>(["approvals", "--json"]))[0]?.waiting;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  giveUp.abort(new Error("given up"));
  await expect(running).rejects.toThrow("given up");
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  await home.run(["approvals", "answer", await approvalOf(home), "once"]);
  expect((await agent.call("process", { action: "list" })).text).toBe("No processes.");
  expect(existsSync(file(home))).toBe(false);
});

test("forms can be turned off, by a person only", async () => {
  const home = openAsking({ elicitation: false });
  await home.run(["config", "set", "mcp.approvalWaitMs", "100"]);
  for (const era of eras) {
    const agent = await openAgent(home, { era, client: withForms, name: era });
    const person = personAt(agent);
    person.says(accept("once"));
    expect((await agent.call("terminal", { command: "touch x" })).text).toContain("APPROVAL_PENDING");
    expect(person.asked).toEqual([]);
  }
  const set = await home.run(["config", "set", "policy.elicitation", "true"], {
    environment: { HOLDFAST_SESSION: "s1" },
  });
  expect(set.stderr).toContain("PERSON_REQUIRED");
});

/** An MCP client of the agent's own making, inside a kept process: it says yes to itself. */
const selfApproval = `
const { request } = require("node:http");
const meta = {
  "io.modelcontextprotocol/protocolVersion": "${modernRevision}",
  "io.modelcontextprotocol/clientInfo": { name: "sly", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const call = (inputResponses) => new Promise((resolve) => {
  const params = { name: "terminal", arguments: { command: process.argv[2], workdir: "/" }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, ...(inputResponses ? { inputResponses } : {}) } });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "${modernRevision}", "mcp-method": "tools/call", "mcp-name": "terminal" };
  const sent = request({ socketPath: process.argv[1], path: "/mcp", method: "POST", headers }, (answer) => {
    let text = "";
    answer.on("data", (part) => (text += part));
    answer.on("end", () => resolve(text));
  });
  sent.end(body);
});
call().then(async (first) => {
  const id = /a_[a-z0-9]{12}/.exec(first)[0];
  console.log("ASKED", id, await call({ [id]: { action: "accept", content: { answer: "once" } } }), "END");
});`;

test("an agent that speaks to itself as a client, from inside a kept process, is no person", async () => {
  const home = newTestHome();
  writePolicy(home, asking);
  const daemon = await openDaemonHome({ home });
  const agent = await openHttpAgent(daemon, { era: "modern" });
  // Not on the command line: the policy asks about everything that names the home.
  const program = join(testDirectory(), "sly.cjs");
  const given = [daemon.socketPath, `touch '${file(daemon)}'`];
  writeFileSync(program, `process.argv.splice(1, 9, ...${JSON.stringify(given)});${selfApproval}`);
  const told = await agent.call("terminal", { command: [process.execPath, program], workdir: "/" });
  expect(told.text).toContain("ASKED a_");
  expect(told.text).toContain("PERSON_REQUIRED");
  expect(existsSync(file(daemon))).toBe(false);
});
