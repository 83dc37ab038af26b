// Signing in with a service of OpenID Connect: a real one, in a real browser, and everything that may go wrong on the way.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newBrowserContext } from "../support/chromium.ts";
import { openGateHome, recordOf, writeConfig, type Answer, type GateHome } from "../support/gate-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import {
  clientId,
  clientSecret,
  goThere,
  openOidcService,
  type OidcService,
} from "../support/oidc-service.ts";

async function newPage(): Promise<Page> {
  return await (await newBrowserContext()).newPage();
}

interface Setting {
  readonly gate: GateHome;
  readonly service: OidcService;
  readonly origin: string;
  readonly configure: (corp?: object) => void;
}

async function openSetting(): Promise<Setting> {
  const gate = await openGateHome({ environment: { CORP_SECRET: clientSecret } });
  const port = await gate.port();
  const origin = `http://127.0.0.1:${port}`;
  const service = await openOidcService(`${origin}/auth/oidc/corp/callback`);
  const configure = (corp: object = {}): void => {
    const standard = {
      issuer: service.issuer,
      clientId,
      clientSecretVariable: "CORP_SECRET",
      roles: { ops: "admin", dev: "operator" },
    };
    writeConfig(gate.home, { listen: "always", port, oidc: { corp: { ...standard, ...corp } } });
  };
  configure();
  await expect.poll(async () => (await gate.ask("/login")).text).toContain("Sign in with corp");
  return { gate, service, origin, configure };
}

/** At the service: any password will do, and everything is consented to. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function me(page: Page): Promise<unknown> {
  return await page.evaluate(async () => (await fetch("/auth/me")).json() as Promise<unknown>);
}

test("a person signs in there and is here with the strongest role their groups give; whoever has none stays out", async () => {
  const { gate, service, origin, configure } = await openSetting();
  service.groups.set("ada", ["dev", "ops", "other"]).set("eve", ["other"]);
  const page = await newPage();
  await page.goto(`${origin}/processes`);
  await page.getByRole("link", { name: "Sign in with corp" }).click();
  await page.getByPlaceholder("Enter any login").waitFor();
  const there = new URL(page.url());
  await signInThere(page, "ada");
  await page.waitForURL(`${origin}/processes`);
  expect(there.origin).toBe(service.issuer);
  expect(await me(page)).toMatchObject({ name: "ada", role: "admin", provider: "oidc" });

  const stranger = await newPage();
  await stranger.goto(`${origin}/login`);
  await stranger.getByRole("link", { name: "Sign in with corp" }).click();
  await signInThere(stranger, "eve");
  await stranger.getByRole("alert").getByText("This account has no role here.").waitFor();
  // The service's own are of the same host: browsers do not tell ports apart.
  const cookies = await stranger.context().cookies(origin);
  expect(cookies.filter(({ name }) => name.startsWith("holdfast"))).toEqual([]);
  const record = (await recordOf(gate)).join("\n");
  expect(record).toContain("signed-in allow ada (oidc) from 127.0.0.1: as admin");
  expect(record).toContain(
    "sign-in-refused deny somebody from 127.0.0.1: oidc corp: This account has no role here.",
  );
  expect(filesHolding(gate.home, clientSecret)).toBe("");

  // Another way to tell roles: who came in by the old one is out, and may come in again.
  const file = join(gate.home, "corp-secret");
  writeFileSync(file, `${clientSecret}\n`, { mode: 0o600 });
  configure({ clientSecretVariable: undefined, clientSecretFile: file, role: "viewer" });
  await expect.poll(async () => await me(page)).toMatchObject({ error: { code: "UNAUTHENTICATED" } });
  await stranger.goto(`${origin}/auth/oidc/corp?next=//evil.example`);
  await stranger.waitForURL(`${origin}/`);
  expect(await me(stranger)).toMatchObject({ name: "eve", role: "viewer" });
});

test("the request has state, nonce and PKCE, and the way back counts once, in the browser that went", async () => {
  const { gate, service, origin } = await openSetting();
  service.groups.set("ada", ["dev"]);
  const begun = await gate.ask("/auth/oidc/corp?next=/processes");
  expect(begun.status).toBe(302);
  const wanted = new URL(begun.headers.location ?? "").searchParams;
  expect(Object.fromEntries(wanted)).toMatchObject({
    client_id: clientId,
    response_type: "code",
    code_challenge_method: "S256",
    redirect_uri: `${origin}/auth/oidc/corp/callback`,
    state: expect.stringMatching(/^.{20,}$/) as string,
    nonce: expect.stringMatching(/^.{20,}$/) as string,
    code_challenge: expect.stringMatching(/^.{43}$/) as string,
  });
  expect(begun.headers["set-cookie"]?.[0]).toMatch(
    /^holdfast-flow-\d+=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );

  const flowOf = ({ headers }: Answer): string => (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  const { pathname, search } = new URL(await goThere(begun.headers.location ?? "", "ada"));
  const cookie = flowOf(begun);
  const other = flowOf(await gate.ask("/auth/oidc/corp"));
  const refused = { status: 401, json: { error: { code: "SIGN_IN_FAILED" } } };
  // In another browser: somebody wants to sign a stranger in as themselves.
  expect(await gate.ask(pathname + search)).toMatchObject(refused);
  expect(await gate.ask(pathname + search, { headers: { cookie: other } })).toMatchObject(refused);
  expect(await gate.ask(pathname + search, { headers: { cookie } })).toMatchObject({
    status: 302,
    headers: { location: "/processes" },
  });
  expect(await gate.ask(pathname + search, { headers: { cookie } })).toMatchObject(refused);
  expect(await gate.ask("/auth/oidc/nobody")).toMatchObject({ status: 404 });
});

test("a state of another's making, a service that says no, and one that is away are told; others are let in meanwhile", async () => {
  const { gate, service } = await openSetting();
  const begin = async (): Promise<string> => {
    const { headers } = await gate.ask("/auth/oidc/corp");
    return (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  };
  const back = async (search: string): Promise<unknown> =>
    await gate.ask(`/auth/oidc/corp/callback${search}`, { headers: { cookie: await begin() } });
  const refused = { status: 401, json: { error: { code: "SIGN_IN_FAILED" } } };
  expect(await back("?code=x&state=forged")).toMatchObject(refused);
  expect(await back("?error=access_denied&state=forged")).toMatchObject(refused);
  expect(await back("")).toMatchObject(refused);
  await service.close();
  // What it has said of itself is known; to sign in it is needed.
  writeConfig(gate.home, {
    listen: "always",
    port: await gate.port(),
    oidc: { away: { issuer: service.issuer, clientId } },
  });
  await expect.poll(async () => (await gate.ask("/auth/oidc/away")).status).toBe(503);
  expect(await gate.ask("/auth/oidc/away")).toMatchObject({
    json: { error: { code: "PROVIDER_UNREACHABLE" } },
  });
  expect(await gate.signIn()).toContain("holdfast-session");
});
