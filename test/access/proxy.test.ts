// A proxy in front: believed when it comes from a named address, and only then.
import { once } from "node:events";
import { expect, test } from "vitest";
import { socketProtocol, ticketPrefix } from "../../src/protocol/access.ts";
import { recordOf, sharedGateHome, ticketOf, writeConfig } from "../support/gate-home.ts";

const proxy = {
  addresses: ["127.0.0.2"],
  header: "X-Forwarded-User",
  role: "viewer",
  roles: { ada: "operator" },
};
const shared = sharedGateHome({
  dashboard: { proxy, publicUrl: "https://holdfast.example" },
});
const origin = "https://holdfast.example";

test("the person a named proxy names is let in, with their role; nobody else's word counts", async () => {
  const gate = shared();
  const port = await gate.port();
  const me = (headers: Record<string, string>, from = "127.0.0.2") =>
    gate.ask("/auth/me", { port, from, headers: { host: "holdfast.example", ...headers } });
  expect((await me({ "x-forwarded-user": "ada" }, "127.0.0.3")).status).toBe(401);
  expect((await me({ "x-forwarded-user": "ada" })).json).toMatchObject({
    name: "ada",
    role: "operator",
    provider: "proxy",
  });
  expect((await me({ "x-forwarded-user": "eve" })).json).toMatchObject({ name: "eve", role: "viewer" });
  for (const name of ["", "a\tb", "x".repeat(200), "<b>"])
    expect((await me({ "x-forwarded-user": name })).status).toBe(401);
  expect((await me({})).status).toBe(401);
  // What the proxy says of the connection is used: the cookie of a page that came by HTTPS, the address on record.
  const body = JSON.stringify({ token: await gate.link() });
  const headers = {
    host: "10.0.0.1",
    origin,
    "x-forwarded-proto": "https",
    "x-forwarded-host": "holdfast.example",
    "x-forwarded-for": "spoofed, 203.0.113.7",
  };
  const signedIn = await gate.ask("/auth/exchange", {
    port,
    from: "127.0.0.2",
    method: "POST",
    headers,
    body,
  });
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(
    /^__Host-holdfast-session-\d+=.*; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect((await recordOf(gate)).join("\n")).toContain("(link) from 203.0.113.7");
});

test("what changes something needs our own page also behind a proxy; the session of the header has its tickets", async () => {
  const gate = shared();
  const port = await gate.port();
  const asked = { port, from: "127.0.0.2", method: "POST", body: "{}" };
  const headers = { host: "holdfast.example", "x-forwarded-user": "ada" };
  expect((await gate.ask("/v1/process.list", { ...asked, headers })).status).toBe(403);
  expect((await gate.ask("/v1/process.list", { ...asked, headers: { ...headers, origin } })).status).toBe(
    200,
  );
  const evil = { ...headers, origin: "https://evil.example" };
  expect((await gate.ask("/v1/process.list", { ...asked, headers: evil })).status).toBe(403);
  await expect(ticketOf(gate, "")).rejects.toThrow("UNAUTHENTICATED");
});

test("what is open for somebody ends when the configuration gives them another role, or none", async () => {
  const gate = shared();
  const port = await gate.port();
  const headers = { host: "holdfast.example", origin, "x-forwarded-user": "ada" };
  const asked = { port, from: "127.0.0.2", method: "POST", body: "{}", headers };
  const ticket = async (): Promise<string> =>
    ((await gate.ask("/auth/ticket", asked)).json as { ticket: string }).ticket; // of this path
  const open = async (own: string): Promise<{ closed: Promise<number> }> => {
    const protocols = [socketProtocol, ticketPrefix + own];
    const socket = await gate.socket("/v1/events", { protocols, headers: { host: headers.host, origin } });
    return { closed: once(socket, "close").then(([code]) => code as number) }; // of ws: a number
  };
  const asOperator = await open(await ticket());
  const unused = await ticket();
  const lowered = { ...proxy, roles: { ada: "viewer" } };
  writeConfig(gate.home, { listen: "always", port, proxy: lowered, publicUrl: origin });
  expect(await asOperator.closed).toBe(4401);
  await expect(open(unused)).rejects.toThrow("refused with 401");
  const asViewer = await open(await ticket());
  writeConfig(gate.home, { listen: "always", port, publicUrl: origin });
  expect(await asViewer.closed).toBe(4401);
});

test("from another address the same header is only a header", async () => {
  const gate = shared();
  const port = await gate.port();
  writeConfig(gate.home, {
    listen: "always",
    port,
    proxy: { ...proxy, addresses: ["10.9.9.9"] },
  });
  const headers = { "x-forwarded-user": "ada", "x-forwarded-for": "10.9.9.9" };
  await expect
    .poll(async () => (await gate.ask("/auth/me", { port, from: "127.0.0.2", headers })).status)
    .toBe(401);
});
