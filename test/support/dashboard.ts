// The dashboard of a daemon's home in a real browser, signed in through the real gate.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { Role } from "../../src/protocol/access.ts";
import { connect, type Client } from "../../src/sdk/index.ts";
import { newBrowserContext, type ContextOptions } from "./chromium.ts";
import { openDaemonHome, type DaemonHome } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

export interface PageOptions extends Omit<ContextOptions, "headers"> {
  /** Do not come in by a link first. */
  readonly isStranger?: boolean;
}

export interface Dashboard {
  readonly origin: string;
  /** A page of its own, with its own storage, at a path. Fails the test when a script of it throws. */
  page(path: string, options?: PageOptions): Promise<Page>;
  /** A fresh one-time link. */
  link(): Promise<string>;
}

/** One that is free now: a page that is open looks for the next daemon at the same one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, "close");
  return port;
}

async function ask<Answer>(daemon: DaemonHome, operation: string, input: object = {}): Promise<Answer> {
  const { status, body } = await daemon.call(operation, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Answer; // the caller names what this verb answers
}

/** Once: pages that are open would not find a second place. */
async function listenAlways(daemon: DaemonHome): Promise<void> {
  const { value } = await ask<{ value: unknown }>(daemon, "config.get", { key: "dashboard.listen" });
  if (value === "always") return;
  await ask(daemon, "config.set", { key: "dashboard.port", value: await freePort() });
  await ask(daemon, "config.set", { key: "dashboard.listen", value: "always" });
}

export async function startDashboard(
  daemon: DaemonHome,
  { role = "admin" }: { readonly role?: Role } = {},
): Promise<Dashboard> {
  await listenAlways(daemon);
  const open = (): Promise<{ address: string; link: string }> => ask(daemon, "dashboard.open");
  const { address: origin } = await open();
  // A link makes an administrator; other roles come with a token, as programs do.
  const name = `browser-${Math.random().toString(36).slice(2)}`;
  const bearer =
    role === "admin"
      ? undefined
      : `Bearer ${(await ask<{ token: string }>(daemon, "token.create", { name, role })).token}`;
  const page = async (path: string, options: PageOptions = {}): Promise<Page> => {
    const headers = bearer === undefined ? {} : { authorization: bearer };
    const context = await newBrowserContext({ ...options, headers });
    const opened = await context.newPage();
    const errors: string[] = [];
    opened.on("pageerror", (error) => errors.push(error.message));
    onTestFinished(() => expect(errors).toEqual([]));
    if (bearer === undefined && options.isStranger !== true) {
      await opened.goto((await open()).link);
      await opened.waitForURL(`${origin}/`);
    }
    await opened.goto(origin + path);
    return opened;
  };
  return { origin, page, link: async () => (await open()).link };
}

export interface DashboardHome {
  readonly daemon: DaemonHome;
  readonly dashboard: Dashboard;
  readonly client: Client;
  /** Id of a process that was started in the background. */
  readonly start: (
    command: string | string[],
    more?: Partial<Parameters<Client["process"]["start"]>[0]>,
  ) => Promise<string>;
}

/** One daemon, one dashboard and one client for all tests of a file. Called at its top. */
export function dashboardHome(options: { readonly config?: string } = {}): () => DashboardHome {
  let opened: DashboardHome | undefined;
  const ends: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    const home = newTestHome();
    if (options.config !== undefined) writeFileSync(join(home, "holdfast.yaml"), options.config);
    const daemon = await openDaemonHome({ home, onEnd: (end) => ends.push(end) });
    const client = await connect({ home, reconnectMs: 60_000 });
    ends.unshift(() => client.close());
    const dashboard = await startDashboard(daemon);
    const start: DashboardHome["start"] = async (command, more = {}) =>
      (await client.process.start({ command, cwd: "/", ...more })).id;
    opened = { daemon, dashboard, client, start };
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (opened === undefined) throw new Error("the home is opened before the first test");
    return opened;
  };
}
