// Who is told of an end: a reader of the stream, a webhook on loopback, and, beside them, Node about a child of its own.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Client } from "../../src/sdk/index.ts";
import { benchEnvironment } from "../keeper/bench-home.ts";
import { EndTimes } from "./end-times.ts";

export interface Receiver {
  readonly times: EndTimes;
  close(): Promise<void>;
}

export async function readStream(client: Client): Promise<Receiver> {
  const times = new EndTimes();
  const stop = new AbortController();
  const { newest } = await client.notifications.list({ limit: 1 });
  const reading = (async () => {
    for await (const { id, text } of client.notices({ after: newest, signal: stop.signal }))
      times.receive(id, text);
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    times,
    close: async () => {
      stop.abort();
      await reading;
    },
  };
}

/** All there are, from the first on; tells how many. */
export async function readAll(client: Client): Promise<number> {
  const { newest } = await client.notifications.list({ limit: 1 });
  const stop = new AbortController();
  let count = 0;
  for await (const { cursor } of client.notices({ after: 0, signal: stop.signal })) {
    count += 1;
    if (cursor >= newest) break;
  }
  stop.abort();
  return count;
}

/** Configured as the one sink of the home while it is open. */
export async function receiveWebhook(client: Client, scratch: string): Promise<Receiver> {
  const times = new EndTimes();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { data } = JSON.parse(body) as { data: { text: string } }; // as the sink writes it
      times.receive(String(request.headers["webhook-id"]), data.text);
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const file = join(mkdtempSync(join(scratch, "secret-")), "secret");
  writeFileSync(file, `whsec_${randomBytes(32).toString("base64")}`, { mode: 0o600 });
  const url = `http://127.0.0.1:${port}/`;
  const bench = { kind: "webhook", url, secretFiles: [file], allowHosts: ["127.0.0.1"] };
  await client.config.set({ key: "sinks", value: { bench } });
  return {
    times,
    close: async () => {
      await client.config.set({ key: "sinks", value: {} });
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a program hears of its own child, with nobody in between: its exit and all of its output. */
export async function spawnOne(program: string, times: EndTimes): Promise<void> {
  const child = spawn(program, { env: benchEnvironment, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(child, "close");
  times.receive(`${child.pid} ${text}`, text);
}
