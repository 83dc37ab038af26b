// `holdfast open`: a link that lets one browser in, once, and what the browser then has.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { socketProtocol, ticketPrefix } from "../../src/protocol/access.ts";
import { openCliHome } from "../support/cli-home.ts";
import { ask, cookieOf, recordOf, sharedGateHome, ticketOf, writeConfig } from "../support/gate-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import { testDirectory } from "../support/test-home.ts";
import { cliProgram } from "../support/programs.ts";

const shared = sharedGateHome();

test("a link is exchanged once, for a cookie that no script reads and no other site sends", async () => {
  const gate = shared();
  const secret = await gate.link();
  expect(secret).toMatch(/^[\w-]{43}$/);
  const origin = `http://127.0.0.1:${await gate.port()}`;
  const exchange = (token: string, headers: Record<string, string> = { origin }) =>
    gate.ask("/auth/exchange", { method: "POST", headers, body: JSON.stringify({ token }) });
  // Looking at the page does not use it up: what follows links to preview them does no harm.
  expect((await gate.ask("/enter")).text).toContain("/auth/enter.js");
  expect(await exchange(secret, { origin: "https://evil.example" })).toMatchObject({ status: 403 });
  const first = await exchange(secret);
  expect(first).toMatchObject({ status: 200, json: { next: "/" } });
  const [cookie = ""] = first.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/^holdfast-session-\d+=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  const me = await gate.ask("/auth/me", { headers: { cookie: cookieOf(first) } });
  expect(me).toMatchObject({ status: 200, json: { role: "admin", provider: "link" } });
  const again = await exchange(secret);
  expect(again).toMatchObject({ status: 401, json: { error: { code: "SIGN_IN_FAILED" } } });
  expect(again.headers["set-cookie"]).toBeUndefined();
  for (const body of ["{}", '{"token":7}', "{", `{"token":"${"x".repeat(300)}"}`])
    expect((await gate.ask("/auth/exchange", { method: "POST", headers: { origin }, body })).status).toBe(
      400,
    );
  const record = await recordOf(gate);
  expect(record.filter((line) => /^(?:signed-in allow|sign-in-refused deny)/.test(line))).toHaveLength(2);
  // Neither the link nor the cookie is written anywhere, and no log has them.
  const value = cookieOf(first).split("=")[1] ?? "";
  expect([secret, value].map((text) => filesHolding(gate.home, text))).toEqual(["", ""]);
});

test("whoever is signed in stays so over a restart of the daemon, until they sign out; streams end with it", async () => {
  const gate = shared();
  const port = await gate.port();
  const cookie = await gate.signIn();
  await gate.kill();
  // At the same port, as a page that is open would look for it.
  writeConfig(gate.home, { listen: "demand", port });
  await gate.start();
  expect(await gate.port()).toBe(port);
  expect((await gate.ask("/auth/me", { headers: { cookie } })).status).toBe(200);
  const origin = `http://127.0.0.1:${port}`;
  const protocols = [socketProtocol, ticketPrefix + (await ticketOf(gate, cookie))];
  const socket = await gate.socket("/v1/events", { headers: { origin }, protocols });
  const unused = await ticketOf(gate, cookie);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  const out = await gate.ask("/auth/logout", { method: "POST", headers: { cookie, origin }, body: "{}" });
  expect(out).toMatchObject({ status: 200 });
  expect(out.headers["set-cookie"]?.[0]).toContain("Max-Age=0");
  expect(await closed).toBe(4401);
  expect((await gate.ask("/auth/me", { headers: { cookie } })).status).toBe(401);
  const late = gate.socket("/v1/events", {
    headers: { origin },
    protocols: [socketProtocol, ticketPrefix + unused],
  });
  await expect(late).rejects.toThrow("refused with 401");
});

test("another user of this machine who has seen the link cannot use it", async () => {
  const gate = shared();
  const body = JSON.stringify({ token: await gate.link() });
  const url = `http://127.0.0.1:${await gate.port()}/auth/exchange`;
  const curl = ["curl", "-s", url, "-H", "content-type: application/json", "-d", body];
  const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...curl];
  const { stdout } = spawnSync(asNobody[0] ?? "", asNobody.slice(1), { encoding: "utf8" });
  expect(stdout).toContain("for another user of this machine");
  expect((await recordOf(gate)).join("\n")).toContain("link, by another user of this machine");
});

test("open starts the browser with the link, or prints it; nobody inside a kept process gets one", async () => {
  const home = openCliHome();
  writeConfig(home.home, {});
  const bin = testDirectory();
  const seen = join(bin, "seen");
  writeFileSync(
    join(bin, "xdg-open"),
    `#!/bin/sh\nprintf '%s' "$1" > ${seen}.new && mv ${seen}.new ${seen}\n`,
  );
  chmodSync(join(bin, "xdg-open"), 0o755);
  const environment = { PATH: `${bin}:${process.env["PATH"]}`, DISPLAY: ":0" };
  const opened = await home.run(["open"], { environment });
  expect(opened).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Opened http:\/\/127\.0\.0\.1:\d+\n$/) as string,
  });
  await expect.poll(() => existsSync(seen)).toBe(true);
  const link = readFileSync(seen, "utf8");
  const { port, hash, pathname } = new URL(link);
  expect(pathname).toBe("/enter");
  const body = JSON.stringify({ token: hash.slice(1) });
  const headers = { origin: `http://127.0.0.1:${port}` };
  expect((await ask(Number(port), "/auth/exchange", { method: "POST", headers, body })).status).toBe(200);

  const printed = await home.run(["open", "--print"]);
  expect(printed.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/enter#[\w-]{43}\n$/);
  const without = await home.run(["open"]);
  expect(without.stdout).toMatch(/\/enter#[\w-]{43}\n$/);
  expect(without.stderr).toContain("there is no display here");
  const missing = await home.run(["open"], { environment: { PATH: "/nonexistent", DISPLAY: ":0" } });
  expect(missing.stdout).toMatch(/\/enter#[\w-]{43}\n$/);

  const forSession = await home.run(["open", "--print"], { environment: { HOLDFAST_SESSION: "agent" } });
  expect(forSession).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringContaining("PERSON_REQUIRED") as string,
  });
  const inside = await home.run(["run", "--", process.execPath, cliProgram, "open", "--print"]);
  expect(inside.code).toBe(4);
  expect(inside.stdout + inside.stderr).toContain("PERSON_REQUIRED");
});
