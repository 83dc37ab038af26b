import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exchange, requestText } from "./http-exchange.ts";
import { openUnixSocket } from "./unix-socket.ts";
import { UnixTransport } from "./unix-transport.ts";

const get = { method: "GET", path: "/", headers: {} } as const;

function newSocketPath(): string {
  return join(mkdtempSync(join(homedir(), "u-")), "sock");
}

/** A server for one test, on a path of any length. */
async function listening<Any extends Server>(server: Any, path: string): Promise<Any> {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => undefined);
  });
  await using directory = await open(dirname(path));
  server.listen(`/proc/self/fd/${directory.fd}/sock`);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
  return server;
}

function newTransport(path: string): UnixTransport {
  const transport = new UnixTransport(path);
  onTestFinished(() => transport.close());
  return transport;
}

/** Both ends of one connection. */
async function connection(): Promise<{ near: Socket; far: Socket }> {
  const path = newSocketPath();
  const server = await listening(createServer(), path);
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const near = await openUnixSocket(path);
  near.on("error", () => undefined);
  onTestFinished(() => {
    near.destroy();
  });
  return { near, far: (await accepted)[0] };
}

test("requests share a connection, and chunked answers of node:http are read", async () => {
  const path = newSocketPath();
  let connections = 0;
  const server = createHttpServer((request, response) => {
    response.write(`${request.method} `);
    request.on("data", (chunk: Buffer) => response.write(chunk));
    request.on("end", () => response.end("!"));
  });
  await listening(server, path);
  server.on("connection", () => (connections += 1));
  const transport = newTransport(path);
  for (const body of ["one", "grüße", ""]) {
    const answer = await transport.request({ method: "POST", path: "/x", headers: {}, body });
    expect(answer).toMatchObject({
      status: 200,
      body: `POST ${body}!`,
      headers: { "transfer-encoding": "chunked" },
    });
  }
  expect(connections).toBe(1);
  const together = await Promise.all([1, 2, 3].map(() => transport.request(get)));
  expect(together.map((answer) => answer.body)).toEqual(["GET !", "GET !", "GET !"]);
  expect(connections).toBe(3);
});

test("a connection that was closed while idle, or that its answer closes, is not used again", async () => {
  const path = newSocketPath();
  const far: Socket[] = [];
  const server = createHttpServer((_request, response) => {
    if (far.length === 2) response.setHeader("connection", "close");
    response.end("ok");
  });
  await listening(server, path);
  server.on("connection", (socket: Socket) => far.push(socket));
  const transport = newTransport(path);
  await transport.request(get);
  const [first] = far;
  first?.destroy();
  expect(await transport.request(get)).toMatchObject({ status: 200 });
  expect(await transport.request(get)).toMatchObject({ status: 200 });
  expect(far).toHaveLength(3);
});

test("nobody there, or a socket file that a dead daemon left, is DAEMON_UNREACHABLE", async () => {
  const path = newSocketPath();
  await expect(newTransport(path).request(get)).rejects.toMatchObject({
    code: "DAEMON_UNREACHABLE",
    details: { errno: "ENOENT" },
  });
  const server = createServer();
  // By a path that Node cannot remove on close: the file stays, as after kill -9.
  await using directory = await open(dirname(path));
  server.listen(`/proc/self/fd/${directory.fd}/sock`);
  await once(server, "listening");
  await directory.close();
  server.close();
  await once(server, "close");
  await expect(newTransport(path).request(get)).rejects.toMatchObject({ details: { errno: "ECONNREFUSED" } });
});

test("a daemon that dies before it has the whole request did nothing; one that had it may have", async () => {
  const early = await connection();
  early.far.destroy();
  await expect(exchange(early.near, requestText(get))).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });

  const half = await connection();
  half.far.pause();
  const large = requestText({ method: "POST", path: "/", headers: {}, body: "x".repeat(8 * 1024 * 1024) });
  const cutOff = exchange(half.near, large);
  setImmediate(() => half.far.destroy());
  await expect(cutOff).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });

  const late = await connection();
  late.far.once("data", () => late.far.destroy());
  await expect(exchange(late.near, requestText(get))).rejects.toMatchObject({ code: "DAEMON_GONE" });

  const begun = await connection();
  begun.far.once("data", () => begun.far.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"));
  await expect(exchange(begun.near, requestText(get))).rejects.toMatchObject({ code: "DAEMON_GONE" });
});

/** Listens, says so, and never comes to accept. */
const acceptNobody = `const fs = require("node:fs");
  require("node:net").createServer().listen(process.argv[1], () => {
    fs.writeSync(1, "listening");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

test("a request that lay unread when the daemon closed or died was not carried out", async () => {
  const { near, far } = await connection();
  far.pause();
  const text = requestText({ method: "POST", path: "/", headers: {}, body: "x".repeat(1_000) });
  const asked = exchange(near, text);
  asked.catch(() => undefined);
  await expect.poll(() => near.writableLength).toBe(0);
  far.destroy();
  await expect(asked).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
  // Not even accepted.
  const path = newSocketPath();
  const server = spawn(process.execPath, ["-e", acceptNobody, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await once(server.stdout, "data");
  const waiting = exchange(await openUnixSocket(path), text);
  waiting.catch(() => undefined);
  server.kill("SIGKILL");
  await expect(waiting).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
});

test("an abort ends the connection and rejects with the caller's reason", async () => {
  const path = newSocketPath();
  const server = await listening(createServer(), path);
  const controller = new AbortController();
  const reason = new Error("enough");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const asked = newTransport(path).request({ ...get, signal: controller.signal });
  const [far] = await accepted;
  const closed = once(far.resume(), "close");
  await once(far, "data");
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await closed;
  await expect(newTransport(path).request({ ...get, signal: controller.signal })).rejects.toBe(reason);
});

test("a header cannot break out of its line", () => {
  for (const value of ["a\r\nb: c", "a\nb", "\0", "é"]) {
    expect(() => requestText({ ...get, headers: { a: value } })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  }
});

test("a socket is reached under a path of 400 characters", async () => {
  const directory = join(homedir(), "d".repeat(200), "e".repeat(200));
  mkdirSync(directory, { recursive: true });
  await listening(
    createHttpServer((_request, response) => response.end("far")),
    join(directory, "sock"),
  );
  expect(await newTransport(join(directory, "sock")).request(get)).toMatchObject({ body: "far" });
});

test("an idle connection does not keep a program running, and a closed transport answers nothing", async () => {
  const path = newSocketPath();
  await listening(
    createHttpServer((_request, response) => response.end()),
    path,
  );
  const transport = newTransport(path);
  await transport.reach();
  await transport.request(get);
  transport.close();
  await expect(transport.request(get)).rejects.toMatchObject({
    code: "DAEMON_UNREACHABLE",
    retryable: false,
  });
});
