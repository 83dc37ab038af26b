// The dashboard of a daemon's home in a real browser: serves the built pages beside the daemon's API, and opens pages in one Chromium per
// test file. Everything is closed when the test, or the file, is over.
import { createReadStream, existsSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { createConnection, type AddressInfo, type Socket } from "node:net";
import { extname, join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ensureDashboard } from "../../scripts/setup/dashboard.mjs";
import type { Role } from "../../src/protocol/access.ts";
import { connect, type Client } from "../../src/sdk/index.ts";
import { openDaemonHome, type DaemonHome } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

export interface Dashboard {
  readonly origin: string;
  /** A page of its own, with its own storage, at a path. Fails the test when a script of it throws. */
  page(path: string, options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

const built = join(import.meta.dirname, "../../dist/web");
const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".html": "text/html",
};

const browserArguments = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

async function newContext({
  width = 1280,
  height = 800,
  theme = "light",
}: PageOptions): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: browserArguments });
  return await (
    await browser
  ).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
}

export async function startDashboard(
  { socketPath }: { readonly socketPath: string },
  { role = "admin" }: { readonly role?: Role } = {},
): Promise<Dashboard> {
  await ensureDashboard();
  const { server, close } = await listen(socketPath, role);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  const dashboard: Dashboard = {
    origin,
    page: async (path, options = {}) => {
      const context = await newContext(options);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      onTestFinished(async () => {
        await context.close();
        expect(errors).toEqual([]);
      });
      await page.goto(origin + path);
      return page;
    },
    close,
  };
  return dashboard;
}

export interface DashboardHome {
  readonly daemon: DaemonHome;
  readonly dashboard: Dashboard;
  readonly client: Client;
  /** Id of a process that was started in the background. */
  start(
    command: string | string[],
    more?: Partial<Parameters<Client["process"]["start"]>[0]>,
  ): Promise<string>;
}

/** One daemon, one dashboard and one client for all tests of a file. Called at its top. */
export function dashboardHome(options: { readonly config?: string } = {}): () => DashboardHome {
  let opened: DashboardHome | undefined;
  const ends: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    const home = newTestHome();
    if (options.config !== undefined) writeFileSync(join(home, "holdfast.yaml"), options.config);
    const daemon = await openDaemonHome({ home, atEnd: (work) => ends.push(work) });
    const client = await connect({ home });
    ends.unshift(() => client.close());
    const dashboard = await startDashboard(daemon);
    ends.unshift(() => dashboard.close());
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

async function listen(
  socketPath: string,
  role: Role,
): Promise<{ readonly server: Server; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => {
    const [path = "/"] = (incoming.url ?? "/").split("?");
    if (path === "/auth/me")
      answer.end(JSON.stringify({ name: "owner", role, provider: "link", expiresAt: null }));
    else if (path === "/auth/ticket")
      answer.end(JSON.stringify({ ticket: "none", expiresAt: "2100-01-01T00:00:00.000Z" }));
    else if (/^\/(?:v1|openapi|healthz)/.test(path)) {
      const { url, method, headers } = incoming;
      const passed = httpRequest({ socketPath, path: url, method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      incoming.pipe(passed);
    } else {
      const asked = join(built, path);
      const file = existsSync(asked) && statSync(asked).isFile() ? asked : join(built, "index.html");
      answer.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
      createReadStream(file).pipe(answer);
    }
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const passed = createConnection(socketPath, () => {
      const headers = incoming.rawHeaders.map((text, index) =>
        index % 2 === 0 ? `${text}: ` : `${text}\r\n`,
      );
      passed.write(`GET ${incoming.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
      passed.write(head);
      socket.pipe(passed).pipe(socket);
    });
    passed.on("error", () => socket.destroy());
    passed.on("close", () => socket.destroy());
    socket.on("error", () => passed.destroy());
    socket.on("close", () => passed.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
