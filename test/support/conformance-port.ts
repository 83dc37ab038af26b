// The conformance suite speaks to a port, and calls tools of its own fixture server. Here is the port; calls of the two tools that a command
// can stand for become calls of `terminal`, so that the suite sees our tasks.
import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Call {
  method?: unknown;
  params?: { name?: unknown; arguments?: { name?: unknown; seconds?: unknown } };
}

/** As the suite describes its fixtures: `greet` answers at once, `slow_compute` after so many seconds. */
function commandOf({ name, arguments: given = {} }: NonNullable<Call["params"]>): string | undefined {
  if (name === "greet") return `echo 'Hello, ${String(given.name)}!'`;
  if (name !== "slow_compute") return undefined;
  const seconds = Number(given.seconds);
  // What is done within a moment is no task of ours: what must be one takes longer than that.
  return seconds === 0 ? "true" : `sleep ${seconds + 1}`;
}

function rewrite(body: string, headers: IncomingHttpHeaders): { body: string; headers: IncomingHttpHeaders } {
  let call: Call;
  try {
    call = JSON.parse(body) as Call;
  } catch {
    return { body, headers }; // what is no JSON must arrive as it is
  }
  const command = call.method === "tools/call" && call.params ? commandOf(call.params) : undefined;
  if (command === undefined) return { body, headers };
  const named = headers["mcp-name"] === call.params?.name ? { "mcp-name": "terminal" } : {};
  const params = { ...call.params, name: "terminal", arguments: { command, workdir: "/" } };
  return { body: JSON.stringify({ ...call, params }), headers: { ...headers, ...named } };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function forward(socketPath: string, near: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { "content-length": _length, "transfer-encoding": _encoding, ...given } = near.headers;
  const { body, headers } = rewrite(await readBody(near), given);
  const { method, url: path } = near;
  const far = request({ socketPath, method, path, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  });
  far.on("error", () => reply.destroy());
  reply.on("close", () => far.destroy());
  far.end(body === "" ? undefined : body);
}

export async function openConformancePort(socketPath: string): Promise<number> {
  const server = createServer((near, reply) => void forward(socketPath, near, reply));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
