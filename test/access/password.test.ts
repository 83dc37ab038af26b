// Name and password: one answer for everything that is wrong, a limit for trying, and an end when the configuration changes.
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { socketProtocol, ticketPrefix } from "../../src/protocol/access.ts";
import { hashPassword } from "../../src/util/password-hash.ts";
import {
  cookieOf,
  recordOf,
  sharedGateHome,
  ticketOf,
  writeConfig,
  type Answer,
} from "../support/gate-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import { openCliHome } from "../support/cli-home.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);
// No password of hers is right, and to find that out takes a fiftieth of the time.
const quick = `$scrypt$ln=14,r=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
const users = {
  ada: { hash, role: "operator" },
  eve: { hash, role: "viewer" },
  grace: { hash: quick, role: "viewer" },
};
const proxy = { addresses: ["127.0.0.0/8"] };
const shared = sharedGateHome({ dashboard: { users, proxy } });

/** From an address of its own, so that one test's failures are not another's. */
async function signIn(
  fields: Readonly<Record<string, string>>,
  { from, accept = "application/json" }: { readonly from: string; readonly accept?: string },
): Promise<Answer> {
  const gate = shared();
  return await gate.ask("/auth/password", {
    method: "POST",
    headers: {
      origin: `http://127.0.0.1:${await gate.port()}`,
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": from,
      accept,
    },
    body: new URLSearchParams(fields).toString(),
  });
}

test("the right password lets in, with the role of the configuration, to pages of ours only", async () => {
  const gate = shared();
  for (const [next, location] of [
    ["/processes?x=1", "/processes?x=1"],
    ["//evil.example", "/"],
    ["https://evil.example/", "/"],
    ["/login", "/"],
    [undefined, "/"],
  ]) {
    const fields = { name: "ada", password, ...(next === undefined ? {} : { next }) };
    const answer = await signIn(fields, { from: "10.1.0.1" });
    expect(answer).toMatchObject({ status: 303, headers: { location } });
  }
  const cookie = cookieOf(await signIn({ name: "eve", password }, { from: "10.1.0.1" }));
  const me = await gate.ask("/auth/me", { headers: { cookie } });
  expect(me).toMatchObject({ json: { name: "eve", role: "viewer", provider: "password" } });
  expect(filesHolding(gate.home, password)).toBe("");
});

test("wrong user and wrong password get the same answer, after the same work; beyond a limit none is looked at", async () => {
  const wrongs = [
    { name: "ada", password: "wrong" },
    { name: "nobody", password: "wrong" },
    { name: "__proto__", password: "wrong" },
    { name: "", password: "" },
    { name: "ada", password: "" },
    { name: "<script>", password: "x".repeat(1_000) },
  ];
  const answers: Answer[] = [];
  for (const fields of wrongs) answers.push(await signIn(fields, { from: "10.2.0.1", accept: "text/html" }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.text).toContain("Name or password are not right.");
  const asJson = await signIn({ name: "nobody", password: "wrong" }, { from: "10.2.0.1" });
  expect(asJson).toMatchObject({ status: 401, json: { error: { code: "SIGN_IN_FAILED" } } });
  const burst = Array.from({ length: 5 }, () =>
    signIn({ name: "ada", password: "wrong" }, { from: "10.2.0.1" }),
  );
  const statuses = (await Promise.all(burst)).map(({ status }) => `${status}`).toSorted();
  expect(statuses).toEqual(["401", "401", "401", "429", "429"]);
  // Also the right one now, and with when to come back.
  const late = await signIn({ name: "ada", password }, { from: "10.2.0.1" });
  expect(late).toMatchObject({ status: 429, json: { error: { code: "TOO_MANY_ATTEMPTS" } } });
  expect(Number(late.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(late.headers["retry-after"])).toBeLessThanOrEqual(600);
  expect(late.headers["set-cookie"]).toBeUndefined();
  // From elsewhere the person is still let in.
  expect((await signIn({ name: "ada", password }, { from: "10.2.0.2" })).status).toBe(303);
  const record = (await recordOf(shared())).join("\n");
  expect(record).toContain("sign-in-refused deny nobody from 10.2.0.1: password");
  expect(record).toContain("sign-in-refused deny ada from 10.2.0.1: password, too many");
  expect(record).toContain("signed-in allow ada (password) from 10.2.0.2: as operator");
  expect(record).not.toContain("<script>");
});

test("one name is not tried from ever new addresses without end", async () => {
  const tries: number[] = [];
  for (let number = 0; number < 31; number += 1)
    tries.push((await signIn({ name: "grace", password: "wrong" }, { from: `10.3.0.${number}` })).status);
  expect(tries.slice(0, 30)).not.toContain(429);
  expect(tries[30]).toBe(429);
});

/** A stream of somebody with this cookie, and the code it is closed with. */
async function openEvents(cookie: string): Promise<{ socket: WebSocket; closed: Promise<number> }> {
  const gate = shared();
  const protocols = [socketProtocol, ticketPrefix + (await ticketOf(gate, cookie))];
  const headers = { origin: `http://127.0.0.1:${await gate.port()}` };
  const socket = await gate.socket("/v1/events", { protocols, headers });
  return { socket, closed: once(socket, "close").then(([code]) => code as number) }; // of ws: a number
}

test("a new hash or role, or none, signs the person out at once, and for good", async () => {
  const gate = shared();
  const cookie = cookieOf(await signIn({ name: "eve", password }, { from: "10.4.0.1" }));
  const ada = cookieOf(await signIn({ name: "ada", password }, { from: "10.4.0.1" }));
  const statusOf = async (own: string): Promise<number> =>
    (await gate.ask("/auth/me", { headers: { cookie: own } })).status;
  expect([await statusOf(cookie), await statusOf(ada)]).toEqual([200, 200]);
  const port = await gate.port();
  const [eves, adas] = await Promise.all([cookie, ada].map((own) => openEvents(own)));
  writeConfig(gate.home, {
    listen: "always",
    port,
    proxy,
    users: { ada: users.ada, eve: { hash, role: "admin" } },
  });
  // What is open ends by itself, with no request that would look at the session.
  expect(await eves?.closed).toBe(4401);
  expect(await statusOf(cookie)).toBe(401);
  expect(await statusOf(ada)).toBe(200);
  expect(adas?.socket.readyState).toBe(WebSocket.OPEN);
  writeConfig(gate.home, { listen: "always", port, proxy, users: { eve: users.eve } });
  expect(await adas?.closed).toBe(4401);
  expect(await statusOf(ada)).toBe(401);
  // As it was before: who was out stays out.
  expect(await statusOf(cookie)).toBe(401);
});

test("password hash takes it from standard input only, and refuses short ones", async () => {
  const home = openCliHome();
  const made = await home.run(["password", "hash"], { input: "a long enough one\n" });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\$scrypt\$/) as string });
  expect(await home.run(["password", "hash"], { input: "short\n" })).toMatchObject({ code: 2, stdout: "" });
  expect(await home.run(["password", "hash", "argument"])).toMatchObject({ code: 2, stdout: "" });
});
