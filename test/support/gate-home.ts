// A daemon whose dashboard listens on loopback, and raw requests to it: with any host and origin, which fetch would not send.
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Role } from "../../src/protocol/access.ts";
import { openDaemonHome, type DaemonHome, type DaemonHomeOptions } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly port?: number;
  /** Of the certificate that is trusted; with it HTTPS is spoken. */
  readonly ca?: string;
  /** Where it is; default: 127.0.0.1. */
  readonly address?: string;
  /** Where the request comes from. */
  readonly from?: string;
}

export interface GateHome extends DaemonHome {
  /** Of the dashboard. */
  port(): Promise<number>;
  ask(path: string, asked?: Asked): Promise<Answer>;
  /** The secret of a fresh link. */
  link(): Promise<string>;
  /** Cookie header of a browser that came in by a link. */
  signIn(): Promise<string>;
  /** Authorization header of a new token. */
  token(role: Role): Promise<string>;
  /** As a browser opens one: with a ticket, unless headers say otherwise. */
  socket(path: string, options: SocketOptions): Promise<WebSocket>;
}

export interface SocketOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
}

/** As a person would write it; JSON is YAML. */
export function writeConfig(home: string, dashboard: object, more: object = {}): void {
  const text = JSON.stringify({ dashboard: { port: 0, ...dashboard }, ...more });
  const file = join(home, "holdfast.yaml");
  // At once: a daemon that follows the file must not take half of it for a configuration, nor an empty one.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function ask(port: number, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, ca, address = "127.0.0.1", from } = asked;
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const options: RequestOptions = {
    host: address,
    port,
    path,
    method,
    headers: { ...json, ...headers },
    agent: false,
    ...(from === undefined ? {} : { localAddress: from }),
  };
  return new Promise((resolve, reject) => {
    const send =
      ca === undefined ? httpRequest(options) : httpsRequest({ ...options, ca, servername: "localhost" });
    send.on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) }),
      );
      response.on("error", reject);
    });
    send.on("error", reject);
    send.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function cookieOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

/** An open WebSocket, closed with the test; rejects with the status it was refused with. */
export async function openSocket(
  port: number,
  path: string,
  options: SocketOptions = {},
): Promise<WebSocket> {
  const { headers = {}, protocols = [] } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], { headers });
  onTestFinished(() => socket.terminate());
  // What comes with the answer itself waits for whoever asked: they listen as soon as they have the socket.
  socket.once("open", () => {
    socket.pause();
    setImmediate(() => socket.resume());
  });
  const refused = once(socket, "unexpected-response").then(([, response]: unknown[]) => {
    throw new Error(`refused with ${(response as { statusCode: number }).statusCode}`); // of ws: a response
  });
  await Promise.race([once(socket, "open"), refused]);
  return socket;
}

export interface GateOptions extends Omit<DaemonHomeOptions, "home"> {
  readonly dashboard?: object;
  readonly config?: object;
}

/** One daemon for all tests of a file. */
export function sharedGateHome(options: GateOptions = {}): () => GateHome {
  let shared: { readonly gate: GateHome; readonly end: () => Promise<void> } | undefined;
  beforeAll(async () => {
    const ending = Promise.withResolvers<() => Promise<void>>();
    const gate = await openGateHome({ ...options, onEnd: ending.resolve });
    shared = { gate, end: await ending.promise };
  });
  afterAll(async () => {
    await shared?.end();
  }, 30_000);
  return () => {
    if (shared === undefined) throw new Error("the daemon did not start");
    return shared.gate;
  };
}

export async function openGateHome(options: GateOptions = {}): Promise<GateHome> {
  const { dashboard, config, ...rest } = options;
  const home = newTestHome();
  writeConfig(home, { listen: "always", ...dashboard }, config);
  const daemon = await openDaemonHome({ ...rest, home });
  const port = (): Promise<number> => dashboardPort(daemon);
  const gate: GateHome = {
    ...daemon,
    port,
    ask: async (path, asked = {}) => await ask(asked.port ?? (await port()), path, asked),
    link: async () => (await dashboardOf(daemon)).link.split("#")[1] ?? "",
    signIn: async () => {
      const origin = `http://127.0.0.1:${await port()}`;
      const body = JSON.stringify({ token: await gate.link() });
      return cookieOf(await gate.ask("/auth/exchange", { method: "POST", headers: { origin }, body }));
    },
    token: async (role) => {
      const name = `t-${role}-${Math.random().toString(36).slice(2)}`;
      const { body } = await daemon.call("token.create", { name, role });
      return `Bearer ${(body as { token: string }).token}`;
    },
    socket: async (path, socketOptions) => await openSocket(await port(), path, socketOptions),
  };
  return gate;
}

/** Where it listens now. */
export async function dashboardPort(daemon: DaemonHome): Promise<number> {
  const { body } = await daemon.call("daemon.status");
  const { listeners } = body as { listeners: { name: string; address: string; state: string }[] }; // of this verb
  const found = listeners.find(({ name, state }) => name === "dashboard" && state === "listening");
  if (found === undefined) throw new Error(`nothing listens: ${JSON.stringify(listeners)}`);
  return Number(new URL(found.address).port);
}

async function dashboardOf(daemon: DaemonHome): Promise<{ address: string; link: string }> {
  const { status, body } = await daemon.call("dashboard.open");
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { address: string; link: string }; // of this verb
}

/** A ticket for a browser with this cookie. */
export async function ticketOf(gate: GateHome, cookie: string): Promise<string> {
  const origin = `http://127.0.0.1:${await gate.port()}`;
  const { json, text } = await gate.ask("/auth/ticket", {
    method: "POST",
    headers: { cookie, origin },
    body: "{}",
  });
  const { ticket } = (json ?? {}) as { ticket?: string };
  if (ticket === undefined) throw new Error(text);
  return ticket;
}

/** What was put on record, in short: what, decision, about. */
export async function recordOf(daemon: DaemonHome): Promise<string[]> {
  const { body } = await daemon.call("audit.list", { limit: 1_000 });
  const { entries } = body as {
    entries: { what: string; decision: string; by: string; command: string | null }[];
  };
  return entries.map(({ what, decision, by, command }) => `${what} ${decision} ${by}: ${command ?? "-"}`);
}
