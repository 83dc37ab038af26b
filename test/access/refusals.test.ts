// Every request that must not be let in, one by one, with raw HTTP and WebSocket: hosts, origins, sites, secrets in the wrong place.
import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { socketProtocol, ticketPrefix } from "../../src/protocol/access.ts";
import { recordOf, sharedGateHome, ticketOf, type Asked } from "../support/gate-home.ts";

const shared = sharedGateHome({ dashboard: { hosts: ["box.lan"], publicUrl: "https://holdfast.example" } });
const list: Asked = { method: "POST", body: "{}" };

test("who is not signed in gets nothing but the way in: an error for programs, the sign-in page for people", async () => {
  const gate = shared();
  const refused = { status: 401, json: { error: { code: "UNAUTHENTICATED" } } };
  for (const path of ["/v1/process.list", "/mcp", "/auth/ticket", "/auth/logout", "/v1/nothing", "/nothing"])
    expect(await gate.ask(path, list), path).toMatchObject(refused);
  for (const path of ["/auth/me", "/openapi.json", "/v1/events", "/v1/notifications", "/", "/processes"])
    expect(await gate.ask(path), path).toMatchObject(refused);
  const html = { accept: "text/html,*/*" };
  expect(await gate.ask("/", { headers: html })).toMatchObject({
    status: 302,
    headers: { location: "/login" },
  });
  expect(await gate.ask("/processes?state=running", { headers: html })).toMatchObject({
    status: 302,
    headers: { location: "/login?next=%2Fprocesses%3Fstate%3Drunning" },
  });
  // An address of programs is no page, whatever the browser would like to have.
  expect(await gate.ask("/v1/events", { headers: html })).toMatchObject(refused);
  expect(await gate.ask("/healthz")).toMatchObject({ status: 200, json: { ok: true } });
  expect(await gate.ask("/login")).toMatchObject({ status: 200 });
  const upgrade = gate.socket("/v1/events", {});
  await expect(upgrade).rejects.toThrow("refused with 401");
});

test("hosts, origins and sites that are not ours are refused before anything else, signed in or not", async () => {
  const gate = shared();
  const port = await gate.port();
  const own = `http://127.0.0.1:${port}`;
  const cookie = await gate.signIn();
  const bearer = await gate.token("admin");
  const rows: [name: string, headers: Record<string, string>, isLetIn: boolean][] = [
    ["own", { origin: own }, true],
    ["localhost", { host: `localhost:${port}`, origin: `http://localhost:${port}` }, true],
    ["a forwarded port", { host: "localhost:9000", origin: "http://localhost:9000" }, true],
    ["IPv6", { host: `[::1]:${port}`, origin: `http://[::1]:${port}` }, true],
    ["a configured host", { host: "box.lan:80", origin: "http://box.lan:80" }, true],
    ["the public address", { host: "holdfast.example", origin: "https://holdfast.example" }, true],
    ["the public origin, by a proxy that keeps its own host", { origin: "https://holdfast.example" }, true],
    ["a form of ours, which tells no referrer", { origin: "null", "sec-fetch-site": "same-origin" }, true],
    ["only the site is told", { "sec-fetch-site": "same-origin" }, true],
    ["DNS rebinding", { host: `evil.example:${port}`, origin: own }, false],
    ["rebinding, all of a piece", { host: "evil.example", origin: "http://evil.example" }, false],
    ["a name that looks like ours", { host: `127.0.0.1.evil.example:${port}`, origin: own }, false],
    ["another machine's address", { host: `192.168.1.5:${port}`, origin: own }, false],
    ["a host with a path", { host: `127.0.0.1:${port}/x`, origin: own }, false],
    ["another site", { origin: "https://evil.example" }, false],
    ["another port of this machine", { origin: "http://127.0.0.1:3000" }, false],
    ["the right host, another scheme", { origin: own.replace("http", "https") }, false],
    ["a sandboxed page or a file", { origin: "null" }, false],
    ["a sandboxed page, by its word", { origin: "null", "sec-fetch-site": "cross-site" }, false],
    ["a foreign site, by its word", { origin: own, "sec-fetch-site": "cross-site" }, false],
    ["another port, by its word", { origin: own, "sec-fetch-site": "same-site" }, false],
    [
      "a form of another site",
      {
        origin: own,
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
      },
      false,
    ],
  ];
  const outcomes: string[] = [];
  for (const [name, headers] of rows) {
    const byCookie = await gate.ask("/v1/process.list", { ...list, headers: { cookie, ...headers } });
    const byToken = await gate.ask("/v1/process.list", {
      ...list,
      headers: { authorization: bearer, ...headers },
    });
    const protocols = [socketProtocol, ticketPrefix + (await ticketOf(gate, cookie))];
    const bySocket = await gate.socket("/v1/events", { headers, protocols }).then(
      (socket) => {
        socket.terminate();
        return "opened";
      },
      (error: unknown) => (error as Error).message,
    );
    const { code = "-" } = (byCookie.json as { error?: { code?: string } }).error ?? {};
    outcomes.push(`${name}: ${byCookie.status} ${code} ${byToken.status} ${bySocket}`);
  }
  expect(outcomes).toEqual(
    rows.map(([name, , isLetIn]) =>
      isLetIn ? `${name}: 200 - 200 opened` : `${name}: 403 ORIGIN_REFUSED 403 refused with 403`,
    ),
  );
  // Without a word about its page a browser's request changes nothing; a program's may.
  expect((await gate.ask("/v1/process.list", { ...list, headers: { cookie } })).status).toBe(403);
  expect((await gate.ask("/v1/process.list", { ...list, headers: { authorization: bearer } })).status).toBe(
    200,
  );
  const record = await recordOf(gate);
  // More than a stranger may write within a minute were refused.
  expect(record.filter((line) => line.startsWith("refused deny somebody from 127.0.0.1"))).toHaveLength(30);
});

test("a visit from another site is one, a frame or a script of it is not", async () => {
  const gate = shared();
  const cookie = await gate.signIn();
  const visit = { cookie, accept: "text/html", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  const by = async (dest: string): Promise<number> =>
    (await gate.ask("/login", { headers: { ...visit, "sec-fetch-dest": dest } })).status;
  expect(await by("document")).toBe(302); // signed in already: on to the page
  expect(await by("iframe")).toBe(403);
  expect(await by("image")).toBe(403);
  const script = {
    cookie,
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "no-cors",
    "sec-fetch-dest": "script",
  };
  expect((await gate.ask("/auth/me", { headers: script })).status).toBe(403);
});

test("a secret counts only where it belongs: a token in its header, a ticket once and for WebSockets", async () => {
  const gate = shared();
  const bearer = await gate.token("admin");
  const secret = bearer.slice("Bearer ".length);
  const cookie = await gate.signIn();
  const [cookieName = "", session = ""] = cookie.split("=");
  const ways: [string, Asked][] = [
    [`/v1/process.list?token=${secret}`, list],
    [`/v1/process.list?access_token=${secret}`, list],
    ["/v1/process.list", { ...list, headers: { cookie: `${cookieName}=${secret}` } }],
    ["/v1/process.list", { ...list, headers: { authorization: `Bearer ${session}` } }],
    ["/v1/process.list", { ...list, headers: { authorization: `Basic ${btoa(`x:${secret}`)}` } }],
    ["/v1/process.list", { ...list, headers: { authorization: secret } }],
    ["/v1/process.list", { ...list, headers: { authorization: `Bearer ${secret.slice(0, -1)}` } }],
    ["/v1/process.list", { ...list, headers: { authorization: `Bearer ${secret}x` } }],
    ["/v1/process.list", { ...list, headers: { authorization: "Bearer hft_short" } }],
    ["/v1/process.list", { ...list, headers: { authorization: "Bearer " } }],
    ["/v1/process.list", { ...list, headers: { "x-forwarded-user": "root", "x-remote-user": "root" } }],
    // A wrong header is not made good by a right cookie: whoever sent it means it.
    ["/v1/process.list", { ...list, headers: { cookie, authorization: "Bearer hft_wrong" } }],
  ];
  for (const [path, asked] of ways)
    expect((await gate.ask(path, asked)).status, JSON.stringify(asked)).toBe(401);

  const origin = `http://127.0.0.1:${await gate.port()}`;
  const ticket = await ticketOf(gate, cookie);
  const protocols = [socketProtocol, ticketPrefix + ticket];
  expect((await gate.ask("/auth/me", { headers: { authorization: `Bearer ${ticket}` } })).status).toBe(401);
  const socket = await gate.socket("/v1/events", { headers: { origin }, protocols });
  expect(socket.protocol).toBe(socketProtocol);
  for (const options of [
    { headers: { origin }, protocols },
    { headers: { origin, cookie }, protocols: [] },
    { headers: { origin, cookie }, protocols: [socketProtocol, ticketPrefix] },
  ]) {
    await expect(gate.socket("/v1/events", options)).rejects.toThrow("refused with 401");
  }
  // A ticket in the address is none.
  const inAddress = gate.socket(`/v1/events?ticket=${await ticketOf(gate, cookie)}`, { headers: { origin } });
  await expect(inAddress).rejects.toThrow("refused with 401");
  const program = await gate.socket("/v1/events", { headers: { authorization: bearer } });
  expect(program.readyState).toBe(program.OPEN);
});

test("a request line with another host in it, or none at all, is refused", async () => {
  const gate = shared();
  const bearer = await gate.token("admin");
  const raw = async (head: string): Promise<string> => {
    const socket = connect(await gate.port(), "127.0.0.1");
    socket.end(`${head}\r\nAuthorization: ${bearer}\r\nConnection: close\r\n\r\n`);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, "close");
    return text.split("\r\n")[0] ?? "";
  };
  expect(await raw("GET /auth/me HTTP/1.1\r\nHost: 127.0.0.1")).toBe("HTTP/1.1 200 OK");
  expect(await raw("GET /auth/me HTTP/1.1")).toBe("HTTP/1.1 400 Bad Request");
  expect(await raw("GET /auth/me HTTP/1.1\r\nHost:")).toBe("HTTP/1.1 403 Forbidden");
  expect(await raw("GET /auth/me HTTP/1.0")).toBe("HTTP/1.1 403 Forbidden");
  expect(await raw("GET http://evil.example/auth/me HTTP/1.1\r\nHost: evil.example")).toBe(
    "HTTP/1.1 403 Forbidden",
  );
  expect(await raw("GET /auth/me HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: 127.0.0.1")).toBe(
    "HTTP/1.1 403 Forbidden",
  );
});

test("every answer forbids frames, foreign and inline scripts and keeping it; there is no CORS", async () => {
  const gate = shared();
  const cookie = await gate.signIn();
  const origin = `http://127.0.0.1:${await gate.port()}`;
  const answers = [
    await gate.ask("/login"),
    await gate.ask("/auth/me", { headers: { cookie } }),
    await gate.ask("/v1/process.list", { ...list, headers: { cookie, origin } }),
    await gate.ask("/v1/process.list", list),
    await gate.ask("/v1/process.list", { ...list, headers: { cookie, origin: "https://evil.example" } }),
    await gate.ask("/v1/process.list", { method: "OPTIONS", headers: { origin, cookie } }),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});
