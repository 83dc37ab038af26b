// The WebSocket client against the `ws` package's server: another's reading of RFC 6455.
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { UnixTransport } from "../../src/client/node/unix-transport.ts";
import type { NodeWebSocket } from "../../src/client/node/websocket.ts";
import { newTestHome } from "../support/test-home.ts";

async function connected(): Promise<{ near: NodeWebSocket; far: WebSocket }> {
  const path = join(newTestHome(), "sock");
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  http.listen(path);
  await once(http, "listening");
  const transport = new UnixTransport(path);
  onTestFinished(() => {
    transport.close();
    server.close();
    http.close();
  });
  const accepted = once(server, "connection") as Promise<[WebSocket]>;
  const near = await transport.socket({ path: "/", headers: {} });
  return { near, far: (await accepted)[0] };
}

test("messages of every length arrive, both ways", async () => {
  const { near, far } = await connected();
  far.on("message", (data, isBinary) => far.send(data, { binary: isBinary }));
  for (const length of [0, 1, 125, 126, 65_535, 65_536, 3_000_000]) {
    const bytes = Buffer.alloc(length, "ü");
    near.send(bytes);
    expect(Buffer.compare(Buffer.from((await near.receive()) as Uint8Array), bytes)).toBe(0);
    const text = "ü".repeat(length);
    near.send(text);
    expect(await near.receive()).toBe(text);
  }
});

test("a message in fragments with a ping between them is one message, and the ping is answered", async () => {
  const { near, far } = await connected();
  const pong = once(far, "pong") as Promise<[Buffer]>;
  far.send("one ", { fin: false });
  far.ping("are you there");
  far.send("two", { fin: true });
  expect(await near.receive()).toBe("one two");
  expect((await pong)[0].toString()).toBe("are you there");
});

test("a close is answered, and what came before it is still read", async () => {
  const { near, far } = await connected();
  const closed = once(far, "close");
  far.send("last");
  far.close(4008, "CLIENT_TOO_SLOW");
  await closed;
  expect([await near.receive(), await near.receive(), near.closedWith]).toEqual(["last", undefined, 4008]);
  const other = await connected();
  const left = once(other.far, "close") as Promise<[number]>;
  other.near.close();
  expect((await left)[0]).toBe(1000);
  expect(await other.near.receive()).toBeUndefined();
});

test("a server that is cut off ends the messages without a code", async () => {
  const { near, far } = await connected();
  far.terminate();
  expect([await near.receive(), near.closedWith]).toEqual([undefined, undefined]);
});
