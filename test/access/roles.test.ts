// What each role may do, wherever it asks: verbs, streams, MCP. And that it is put on record who did what.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { WebSocket } from "ws";
import { encodeInput } from "../../src/protocol/live-frames.ts";
import { roles, type Role } from "../../src/protocol/access.ts";
import { operationNames, operations } from "../../src/protocol/operations.ts";
import { connectedClient } from "../support/connected-client.ts";
import { recordOf, sharedGateHome, type Answer } from "../support/gate-home.ts";

const shared = sharedGateHome({ config: { sinks: {} } });

async function call(bearer: string, name: string, input: object = {}, session?: string): Promise<Answer> {
  const headers = {
    authorization: bearer,
    ...(session === undefined ? {} : { "holdfast-session": session }),
  };
  return await shared().ask(`/v1/${name}`, { method: "POST", headers, body: JSON.stringify(input) });
}

test.each(roles)("%s: every verb is answered or refused as the table says", async (role) => {
  const bearer = await shared().token(role);
  for (const name of operationNames) {
    const isAllowed = roles.indexOf(role) >= roles.indexOf(operations[name].role);
    if (name === "daemon.stop" && isAllowed) continue; // it takes anything
    // Input that hardly any verb takes: whoever may ask hears of that, and nothing is done.
    const { json } = await call(bearer, name, {
      limit: -1,
      id: [],
      ids: 7,
      key: 7,
      token: 7,
      name: 7,
      session: [],
    });
    const { code } = (json as { error?: { code?: string } }).error ?? {};
    expect(code === "ROLE_REQUIRED", `${name}: ${code}`).toBe(!isAllowed);
  }
});

test("a refusal names the role that is needed; keys that may hold secrets are for admins", async () => {
  const viewer = await shared().token("viewer");
  expect(await call(viewer, "process.stop", { all: true })).toMatchObject({
    status: 403,
    json: { error: { code: "ROLE_REQUIRED", details: { role: "operator", has: "viewer" } } },
  });
  for (const key of ["sinks", "dashboard.users", "dashboard.oidc"]) {
    expect((await call(await shared().token("operator"), "config.get", { key })).status, key).toBe(403);
    expect((await call(await shared().token("admin"), "config.get", { key })).status, key).toBe(200);
  }
  expect((await call(viewer, "config.get", { key: "output.tailBytes" })).status).toBe(200);
});

/** The first message from now on that is wanted; all that come meanwhile are looked at. */
function nextMessage(
  socket: WebSocket,
  wanted: (message: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const look = (data: Buffer, isBinary: boolean): void => {
      const message = isBinary ? {} : (JSON.parse(data.toString()) as Record<string, unknown>); // the daemon sends objects
      if (!wanted(message)) return;
      socket.off("message", look);
      resolve(message);
    };
    socket.on("message", look);
  });
}

test("a viewer watches a terminal and types nothing; an operator types", async () => {
  const gate = shared();
  const client = await connectedClient({ home: gate.home });
  const { id } = await client.process.start({ command: ["cat"], mode: "pty", cwd: "/" });
  const path = `/v1/process.output/live?id=${id}&from=0&credit=1000000&writer=0123456789abcdef`;
  const type = async (role: Role): Promise<WebSocket> => {
    const socket = await gate.socket(path, { headers: { authorization: await gate.token(role) } });
    return socket;
  };
  const watching = await type("viewer");
  const refused = nextMessage(watching, (message) => "error" in message);
  watching.send(encodeInput({ sequence: 0, bytes: Buffer.from("by the viewer\n") }));
  expect(await refused).toMatchObject({ error: { code: "ROLE_REQUIRED" } });
  const unsized = nextMessage(watching, (message) => "error" in message);
  watching.send(JSON.stringify({ resize: { columns: 10, rows: 10 } }));
  expect(await unsized).toMatchObject({ error: { code: "ROLE_REQUIRED" } });
  const shown = once(watching, "message");
  const typed = "by the operator\n";
  const acting = await type("operator");
  const taken = nextMessage(acting, (message) => message["wrote"] === typed.length);
  for (const [index, letter] of typed.split("").entries())
    acting.send(encodeInput({ sequence: index, bytes: Buffer.from(letter) }));
  await taken;
  await shown;
  await expect.poll(async () => (await client.process.output({ id })).text).toContain("by the operator");
  expect((await client.process.output({ id })).text).not.toContain("by the viewer");
  // Letter by letter is one act.
  const acts = (await recordOf(gate)).filter((line) => line.includes(`process.write ${id}`));
  expect(acts).toHaveLength(1);
  expect(acts[0]).toMatch(/^acted allow t-operator-\w+ \(token\): /);
  await client.process.stop({ ids: [id], graceMs: 0 });
});

test("a viewer looks at a terminal's screen, and gets neither its keyboard nor its size", async () => {
  const gate = shared();
  const client = await connectedClient({ home: gate.home });
  const { id } = await client.process.start({ command: ["cat"], mode: "pty", cwd: "/" });
  const before = await client.process.screen({ id });
  const path = `/v1/terminal/view?id=${id}&credit=1000000&columns=33&rows=11&keyboard=1&writer=0123456789abcdef`;
  const looking = await gate.socket(path, { headers: { authorization: await gate.token("viewer") } });
  await nextMessage(looking, (message) => message["kind"] === "viewers" && message["keyboard"] === null);
  const taken = nextMessage(looking, (message) => "error" in message);
  looking.send(JSON.stringify({ keyboard: "take" }));
  expect(await taken).toMatchObject({ error: { code: "ROLE_REQUIRED" } });
  const typed = nextMessage(looking, (message) => "error" in message);
  looking.send(encodeInput({ sequence: 0, bytes: Buffer.from("by the viewer\n") }));
  expect(await typed).toMatchObject({
    error: { code: expect.stringMatching(/^(?:ROLE_REQUIRED|KEYBOARD_NOT_HELD)$/) as string },
  });
  looking.send(JSON.stringify({ size: { columns: 20, rows: 5 } }));
  await nextMessage(looking, (message) => message["kind"] === "viewers");
  const { columns, rows } = await client.process.screen({ id });
  expect({ columns, rows }).toEqual({ columns: before.columns, rows: before.rows });
  await client.process.stop({ ids: [id], graceMs: 0 });
});

test("who comes as one that types, by its writer, and may not type, gets no keyboard", async () => {
  const gate = shared();
  const client = await connectedClient({ home: gate.home });
  const { id } = await client.process.start({ command: ["cat"], mode: "pty", cwd: "/" });
  const path = `/v1/terminal/view?id=${id}&credit=1000000&columns=33&rows=11&keyboard=1&writer=fedcba9876543210`;
  const open = async (role: "operator" | "viewer") =>
    await gate.socket(path, { headers: { authorization: await gate.token(role) } });
  const acting = await open("operator");
  const { you } = await nextMessage(acting, (message) => {
    return message["kind"] === "viewers" && message["keyboard"] === message["you"];
  });
  const looking = await open("viewer");
  const told = await nextMessage(looking, (message) => message["kind"] === "viewers");
  expect(told["you"]).not.toBe(you);
  expect(told["keyboard"]).toBe(you);
  const typed = nextMessage(looking, (message) => "error" in message);
  looking.send(encodeInput({ sequence: 0, bytes: Buffer.from("by the viewer\n") }));
  expect(await typed).toMatchObject({ error: { code: "ROLE_REQUIRED" } });
  await client.process.stop({ ids: [id], graceMs: 0 });
});

test("what a viewer reads is read for nobody: the session it names is still owed the end", async () => {
  const gate = shared();
  const agent = await connectedClient({ home: gate.home, session: "agent" });
  const { id } = await agent.process.start({ command: "echo done", notify: "end" });
  const owner = await connectedClient({ home: gate.home });
  await owner.process.wait({ ids: [id] });
  const viewer = await gate.token("viewer");
  expect((await call(viewer, "process.wait", { ids: [id] }, "agent")).status).toBe(200);
  expect((await call(viewer, "process.output", { id }, "agent")).status).toBe(200);
  const { notices } = await owner.notifications.list({ session: "agent" });
  expect(notices).toMatchObject([{ state: "pending" }]);
});

test("MCP over HTTP with a bearer: tools for operators, looking for viewers, nothing without", async () => {
  const gate = shared();
  const url = new URL(`http://127.0.0.1:${await gate.port()}/mcp`);
  const connected = async (authorization: string): Promise<Client> => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
    );
    onTestFinished(() => client.close());
    return client;
  };
  await expect(connected("Bearer hft_wrong")).rejects.toThrow(/401|Unauthorized|UNAUTHENTICATED/);
  const operator = await connected(await gate.token("operator"));
  const started = await operator.callTool({
    name: "terminal",
    arguments: { command: "echo by mcp", workdir: "/" },
  });
  expect(JSON.stringify(started.content)).toContain("by mcp");
  const viewer = await connected(await gate.token("viewer"));
  const refused = await viewer.callTool({
    name: "terminal",
    arguments: { command: "echo no", workdir: "/" },
  });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain("ROLE_REQUIRED");
  const listed = await viewer.callTool({ name: "process", arguments: { action: "list" } });
  expect(listed.isError).not.toBe(true);
});

test("tokens: shown once, kept as a digest, named, dated, and gone when they are revoked, with what they had open", async () => {
  const gate = shared();
  const owner = await connectedClient({ home: gate.home });
  const made = await owner.token.create({ name: "ci", role: "operator", forMs: 3_600_000 });
  expect(made.token).toMatch(/^hft_[\w-]{43}$/);
  expect(Date.parse(made.expiresAt ?? "") - Date.parse(made.createdAt)).toBe(3_600_000);
  await expect(owner.token.create({ name: "ci" })).rejects.toMatchObject({ code: "NAME_IN_USE" });
  const authorization = `Bearer ${made.token}`;
  expect((await gate.ask("/auth/me", { headers: { authorization } })).json).toMatchObject({
    name: "ci",
    role: "operator",
    provider: "token",
    expiresAt: made.expiresAt,
  });
  const { tokens } = await owner.token.list({});
  expect(tokens.find(({ name }) => name === "ci")).toMatchObject({
    role: "operator",
    usedAt: expect.any(String) as string,
  });
  expect(JSON.stringify(tokens)).not.toContain(made.token);
  const { filesHolding } = await import("../support/files-holding.ts");
  expect(filesHolding(gate.home, made.token.slice(4))).toBe("");
  const socket = await gate.socket("/v1/events", { headers: { authorization } });
  const closed = once(socket, "close");
  await owner.token.revoke({ token: "ci" });
  expect((await closed)[0]).toBe(4401);
  expect((await gate.ask("/auth/me", { headers: { authorization } })).status).toBe(401);
  await expect(owner.token.revoke({ token: "ci" })).rejects.toMatchObject({ code: "TOKEN_NOT_FOUND" });
  // One second is the shortest: then it is over, whatever the store says.
  const short = await owner.token.create({ name: "short", forMs: 1_000 });
  await expect
    .poll(
      async () =>
        (await gate.ask("/auth/me", { headers: { authorization: `Bearer ${short.token}` } })).status,
      { timeout: 10_000 },
    )
    .toBe(401);
});

test("a token is no person: it makes no tokens and no links, and answers no approval", async () => {
  const admin = await shared().token("admin");
  const person = { status: 403, json: { error: { code: "PERSON_REQUIRED" } } };
  expect(await call(admin, "token.create", { name: "more" })).toMatchObject(person);
  expect(await call(admin, "dashboard.open")).toMatchObject(person);
  expect(await call(admin, "policy.lift", { session: "s" })).toMatchObject(person);
  expect(await call(admin, "config.set", { key: "dashboard.port", value: 1 })).toMatchObject(person);
  const answer = { approval: "a_23456789bcdf", answer: "once" };
  expect(await call(admin, "approval.answer", answer)).toMatchObject(person);
  // Somebody who signed in is one.
  const gate = shared();
  const headers = { cookie: await gate.signIn(), origin: `http://127.0.0.1:${await gate.port()}` };
  const signedIn = await gate.ask("/v1/approval.answer", {
    method: "POST",
    headers,
    body: JSON.stringify(answer),
  });
  expect(signedIn).toMatchObject({ status: 404, json: { error: { code: "APPROVAL_NOT_FOUND" } } });
});
