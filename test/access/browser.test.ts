// The ways in, in a real browser: what stands in the address bar, in the history, in cookies; and that nothing goes round in circles.
import { join } from "node:path";
import { build, stop } from "esbuild";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type * as ClientModule from "../../src/client/index.ts";
import { hashPassword } from "../../src/util/password-hash.ts";
import { seriousFindings } from "../support/axe.ts";
import { newBrowserContext, type ContextOptions } from "../support/chromium.ts";
import { openGateHome, sharedGateHome } from "../support/gate-home.ts";

const password = "correct horse battery";
const shared = sharedGateHome({
  dashboard: {
    users: { ada: { hash: await hashPassword(password), role: "operator" } },
    oidc: { corp: { issuer: "http://127.0.0.1:1/", clientId: "x", label: "Corp <b>&" } },
  },
});

async function newPage(options: ContextOptions = {}): Promise<Page> {
  const context = await newBrowserContext(options);
  return await context.newPage();
}

/** What the dashboard's own pages are built from. */
async function loadClient(page: Page): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../../src/client/index.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "Holdfast",
    platform: "browser",
  });
  await stop(); // its program would stay
  await page.evaluate(`${outputFiles[0]?.text ?? ""};globalThis.Holdfast = Holdfast;`);
}

async function origin(): Promise<string> {
  return `http://127.0.0.1:${await shared().port()}`;
}

test("a link signs the browser in; its secret is in no address and no history afterwards; a used one says so", async () => {
  const page = await newPage();
  const secret = await shared().link();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${await origin()}/enter#${secret}`);
  await page.waitForURL(`${await origin()}/`);
  expect(requested.join("\n")).not.toContain(secret);
  expect(await page.evaluate("document.cookie")).toBe("");
  expect(await page.evaluate("history.length")).toBeLessThanOrEqual(2);
  await page.goBack();
  expect(page.url()).not.toContain(secret);
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Lax", path: "/" }]);

  const second = await newPage();
  await second.goto(`${await origin()}/enter#${secret}`);
  await second.getByText("The link was used already").waitFor();
  expect(second.url()).toBe(`${await origin()}/enter`);
});

test("the client of the pages takes a ticket for each stream, and hears for good that it is signed out", async () => {
  const page = await newPage();
  await page.goto(`${await origin()}/enter#${await shared().link()}`);
  await page.waitForURL(`${await origin()}/`);
  await loadClient(page);
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  const seen = await page.evaluate(
    async (here) => {
      const { connectBrowser } = (globalThis as unknown as { Holdfast: typeof ClientModule }).Holdfast;
      const client = connectBrowser(here, { reconnectMs: 5_000 });
      const { cursor } = await client.process.list({});
      const events = client.events({ after: cursor });
      const first = events.next();
      const { id } = await client.process.start({ command: "true" });
      const told = (await first).value as { processId: string };
      await fetch("/auth/logout", { method: "POST" });
      const codeOf = (error: unknown): string => (error as { code: string }).code;
      const stream = await (async () => {
        for (let next = await events.next(); next.done !== true; next = await events.next());
      })().catch(codeOf);
      const call = await client.process.list({}).catch(codeOf);
      return { isTold: told.processId === id, stream, call };
    },
    await origin(),
  );
  expect(seen).toEqual({ isTold: true, stream: "UNAUTHENTICATED", call: "UNAUTHENTICATED" });
  // Those of the page itself are among them.
  expect(sockets.length).toBeGreaterThan(0);
  expect(sockets.join("\n")).not.toMatch(/ticket/);
});

test("the sign-in page: wrong and right password, then on to the page that was wanted; never in a circle", async () => {
  const page = await newPage();
  let visits = 0;
  page.on("framenavigated", () => (visits += 1));
  await page.goto(`${await origin()}/processes?state=running`);
  expect(page.url()).toBe(`${await origin()}/login?next=%2Fprocesses%3Fstate%3Drunning`);
  expect(visits).toBe(1);
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("Name or password are not right.").waitFor();
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Password").press("Enter");
  await page.waitForURL(`${await origin()}/processes?state=running`);
  const me = await page.evaluate(async () => (await fetch("/auth/me")).json() as Promise<unknown>);
  expect(me).toMatchObject({ name: "ada", role: "operator", provider: "password" });
  // A service that is away keeps nobody out, and says so.
  const other = await newPage();
  await other.goto(`${await origin()}/login`);
  await other.getByRole("link", { name: "Sign in with Corp <b>&" }).click();
  await other.getByRole("alert").getByText("corp cannot be reached").waitFor();
  await other.getByLabel("Password").waitFor();
});

test("a daemon that asks nobody says so on its pages", async () => {
  const open = await openGateHome({ environment: { HOLDFAST_DASHBOARD_INSECURE: "1" } });
  const page = await newPage();
  await page.goto(`http://127.0.0.1:${await open.port()}/`);
  const warning = page.getByText("Insecure: whoever reaches this address");
  await warning.waitFor();
  expect(await warning.count()).toBe(1);
});

test.for([
  { width: 1_000, theme: "light" },
  { width: 320, theme: "dark" },
] as const)("the sign-in page is readable, $theme, $width wide", async ({ width, theme }) => {
  const page = await newPage({ width, theme });
  await page.goto(`${await origin()}/login`);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await seriousFindings(page)).toEqual([]);
});
