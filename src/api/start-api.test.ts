// The wire format: a runtime of a few lines stands for the daemon, so that what is seen is HTTP and nothing else.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Runtime } from "../operations/runtime.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { operationNames, type Caller } from "../protocol/operations.ts";
import { startApi, type Api, type ApiOptions } from "./start-api.ts";

type Call = (name: string, input: unknown, caller: Caller, signal: AbortSignal) => Promise<unknown>;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

function newSocketPath(): string {
  return join(mkdtempSync(join(homedir(), "a-")), "daemon.sock");
}

async function listening(
  call: Call,
  options: Partial<ApiOptions> = {},
): Promise<{ api: Api; socketPath: string; ask: (path: string, asked?: Asked) => Promise<Answer> }> {
  const socketPath = options.socketPath ?? newSocketPath();
  const runtime = { call } as unknown as Runtime; // no test of this file uses a stream
  const api = await startApi({ runtime, socketPath, version: "9.9.9", ...options });
  onTestFinished(() => api.close());
  return { api, socketPath, ask: (path, asked = {}) => send(socketPath, path, asked) };
}

function send(
  socketPath: string,
  path: string,
  { method = "POST", headers, body, signal }: Asked,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const options = {
      socketPath,
      path,
      method,
      headers: { ...json, ...headers },
      ...(signal ? { signal } : {}),
    };
    const sent = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(text) as unknown,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const echo: Call = (name, input, caller) => Promise.resolve({ name, input, caller });

test("a socket file that somebody removes is there again; what a killed daemon left of its own goes", async () => {
  const socketPath = newSocketPath();
  const dead = join(socketPath, "../.szzzzz-1");
  writeFileSync(dead, "");
  const { api, ask } = await listening(() => Promise.resolve({ processes: [] }), { socketPath });
  expect(existsSync(dead)).toBe(false);
  for (let time = 0; time < 2; time += 1) {
    const { ino } = statSync(socketPath);
    rmSync(socketPath);
    await expect.poll(() => existsSync(socketPath)).toBe(true);
    expect(statSync(socketPath)).toMatchObject({ ino, mode: 0o140600 });
    expect(await ask("/v1/process.list", { body: "{}" })).toMatchObject({ status: 200 });
  }
  await api.close();
  expect(readdirSync(join(socketPath, ".."))).toEqual([]);
});

test("a verb gets the body, the session and the request id; its answer is JSON", async () => {
  const { ask } = await listening(echo);
  const headers = { "holdfast-session": encodeURIComponent("agent é %"), "holdfast-request-id": "mine-1" };
  const answer = await ask("/v1/process.get", { headers, body: '{"id":"grüße"}' });
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "holdfast-request-id": "mine-1",
      "holdfast-version": "9.9.9",
    },
    body: {
      name: "process.get",
      input: { id: "grüße" },
      caller: { session: "agent é %", requestId: "mine-1" },
    },
  });
});

test("every verb has its address, and an empty body is an empty input", async () => {
  const { ask } = await listening(echo);
  for (const name of operationNames) {
    expect((await ask(`/v1/${name}`)).body).toMatchObject({ name, input: {} });
  }
  expect((await ask("/v1/gc", { body: "" })).body).toMatchObject({ input: {} });
});

test("a request id that is not well-formed is replaced", async () => {
  const { ask } = await listening(echo);
  for (const given of ["with space", "x".repeat(65), "a;b"]) {
    const { headers } = await ask("/v1/gc", { headers: { "holdfast-request-id": given } });
    expect(headers["holdfast-request-id"]).toMatch(/^r_\w{12}$/);
  }
});

test("an error has the status of its code and everything a caller needs", async () => {
  const { ask } = await listening(() => {
    return Promise.reject(
      new HoldfastError("OUTPUT_TRIMMED", "gone", { details: { firstOffset: 7 }, hint: "Read on." }),
    );
  });
  const { status, headers, body } = await ask("/v1/process.output", { body: "{}" });
  const requestId = headers["holdfast-request-id"];
  expect(status).toBe(410);
  expect(body).toEqual({
    error: {
      code: "OUTPUT_TRIMMED",
      message: "gone",
      hint: "Read on.",
      details: { firstOffset: 7 },
      requestId,
    },
  });
});

test("of an error that is ours the caller learns the id, and the log the rest", async () => {
  const reported: unknown[] = [];
  const fault = new Error("secret detail");
  const { ask } = await listening(() => Promise.reject(fault), {
    onError: (error, requestId) => reported.push([error.cause, requestId]),
  });
  const { status, headers, body } = await ask("/v1/gc");
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(reported).toEqual([[fault, headers["holdfast-request-id"]]]);
});

test.each([
  ["not JSON", "/v1/gc", { body: "{" }, 400, "INVALID_ARGUMENT"],
  ["a key that poisons prototypes", "/v1/gc", { body: '{"__proto__":{"a":1}}' }, 400, "INVALID_ARGUMENT"],
  [
    "another type",
    "/v1/gc",
    { body: "a=b", headers: { "content-type": "text/plain" } },
    400,
    "INVALID_ARGUMENT",
  ],
  ["too large", "/v1/gc", { body: `"${"x".repeat(16 * 1024 * 1024)}"` }, 400, "REQUEST_TOO_LARGE"],
  ["an unreadable session", "/v1/gc", { headers: { "holdfast-session": "%" } }, 400, "INVALID_ARGUMENT"],
  ["an empty session", "/v1/gc", { headers: { "holdfast-session": "" } }, 400, "INVALID_ARGUMENT"],
  ["an unknown verb", "/v1/process.fly?x=1", {}, 404, "UNSUPPORTED_OPERATION"],
  ["an unknown address", "/favicon.ico", { method: "GET" }, 404, "NOT_FOUND"],
  ["a verb by GET", "/v1/gc", { method: "GET" }, 404, "NOT_FOUND"],
  ["a stream without a WebSocket", "/v1/events", { method: "GET" }, 404, "NOT_FOUND"],
  ["an address nobody can decode", "/v1/%zz", {}, 400, "INVALID_ARGUMENT"],
])("%s: a coded error, nothing is called", async (_name, path, asked, status, code) => {
  const { ask } = await listening(() => {
    throw new Error("called");
  });
  const answer = await ask(path, asked);
  expect(answer).toMatchObject({ status, body: { error: { code } } });
  const { error } = answer.body as { error: { hint: string; requestId: string; details: object } };
  expect(error.requestId).toBe(answer.headers["holdfast-request-id"]);
  expect(error.hint).toMatch(/\.$/);
});

test("whoever asks for an unknown verb or address is told the verbs", async () => {
  const { ask } = await listening(echo);
  for (const path of ["/v1/process.fly", "/elsewhere"]) {
    expect((await ask(path)).body).toMatchObject({ error: { details: { operations: operationNames } } });
  }
});

test("an answer that is not what the table says is found when answers are validated", async () => {
  const { ask } = await listening(() => Promise.resolve({ removed: "all" }), { validateOutput: true });
  expect(await ask("/v1/gc")).toMatchObject({ status: 500, body: { error: { code: "INTERNAL" } } });
});

test("a client that goes away ends its operation", async () => {
  const began = Promise.withResolvers<AbortSignal>();
  const { ask } = await listening((_name, _input, _caller, signal) => {
    began.resolve(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  });
  const controller = new AbortController();
  const asked = ask("/v1/process.wait", { body: "{}", signal: controller.signal });
  const signal = await began.promise;
  expect(signal.aborted).toBe(false);
  controller.abort();
  await expect(asked).rejects.toThrow("abort");
  await expect.poll(() => signal.aborted).toBe(true);
});

test("a stop of the daemon ends what reads at once, lets changes finish, and removes the socket", async () => {
  const change = Promise.withResolvers<unknown>();
  const began: string[] = [];
  const { api, ask, socketPath } = await listening((name) => {
    began.push(name);
    return name === "process.stop" ? change.promise : new Promise(() => undefined);
  });
  const wait = ask("/v1/process.wait", { body: "{}" });
  const stop = ask("/v1/process.stop", { body: "{}" });
  await expect.poll(() => began.length).toBe(2);
  const closed = api.close();
  expect(await wait).toMatchObject({ status: 503, body: { error: { code: "DAEMON_STOPPING" } } });
  change.resolve({ done: true });
  expect(await stop).toMatchObject({ status: 200, body: { done: true } });
  await closed;
  expect(() => statSync(socketPath)).toThrow("ENOENT");
});

test("health, and the document for machines", async () => {
  const { ask } = await listening(echo);
  expect(await ask("/healthz", { method: "GET" })).toMatchObject({ status: 200, body: { ok: true } });
  const { body } = await ask("/openapi.json", { method: "GET" });
  expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "9.9.9" } });
});

test("one that closes late leaves the socket of its successor alone", async () => {
  const first = await listening(echo);
  const second = await listening(echo, { socketPath: first.socketPath });
  const { ino } = statSync(first.socketPath);
  await first.api.close();
  expect(statSync(first.socketPath).ino).toBe(ino);
  expect(await second.ask("/v1/daemon.status", { body: "{}" })).toMatchObject({ status: 200 });
});

test("the socket is the user's alone, replaces a dead one, and may lie under 400 characters", async () => {
  const directory = join(homedir(), "d".repeat(200), "e".repeat(200));
  mkdirSync(directory, { recursive: true });
  const socketPath = join(directory, "daemon.sock");
  await listening(echo, { socketPath });
  await listening(echo, { socketPath });
  expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  expect(process.umask()).not.toBe(0o177);
});
