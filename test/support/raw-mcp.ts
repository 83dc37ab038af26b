// An MCP client of the current revision that is written by hand, for what the official one does not speak: messages as they are on the wire.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { CliHome } from "./cli-home.ts";
import { cliProgram } from "./programs.ts";
import type { DaemonHome } from "./daemon-home.ts";
import { modernRevision } from "./mcp-client.ts";
import { unixFetch } from "./unix-fetch.ts";

export interface RawMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

export interface RawMcp {
  /** The answer to one request. */
  ask(method: string, params: Record<string, unknown>): Promise<RawMessage>;
  /** A request that is answered by a stream of messages; each wait takes the next one of this method. */
  listen(params: Record<string, unknown>): Promise<{ next(method: string): Promise<RawMessage> }>;
}

const tasksExtension = "io.modelcontextprotocol/tasks";
const deadlineMs = 20_000;

function envelope(params: Record<string, unknown>, name: string): Record<string, unknown> {
  return {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": modernRevision,
      "io.modelcontextprotocol/clientInfo": { name, version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": { extensions: { [tasksExtension]: {} } },
    },
  };
}

/** Messages as they come; whoever waits gets the first that fits. */
class Inbox {
  readonly #messages: RawMessage[] = [];
  #wake: () => void = () => undefined;

  add(message: RawMessage): void {
    this.#messages.push(message);
    this.#wake();
  }

  async take(isIt: (message: RawMessage) => boolean): Promise<RawMessage> {
    const deadline = AbortSignal.timeout(deadlineMs);
    for (;;) {
      const index = this.#messages.findIndex(isIt);
      const [found] = index < 0 ? [] : this.#messages.splice(index, 1);
      if (found !== undefined) return found;
      if (deadline.aborted)
        throw new Error(`not within ${deadlineMs} ms; there is ${JSON.stringify(this.#messages)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        deadline.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
}

/** On the standard input and output of `holdfast mcp`. */
export function openRawStdio(home: CliHome, name = "raw-agent"): RawMcp {
  const child = spawn(process.execPath, [cliProgram, "mcp"], {
    env: { ...home.environment },
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const inbox = new Inbox();
  createInterface({ input: child.stdout }).on("line", (line) => inbox.add(JSON.parse(line) as RawMessage));
  let ids = 0;
  const send = (method: string, params: Record<string, unknown>): number => {
    ids += 1;
    const message = { jsonrpc: "2.0", id: ids, method, params: envelope(params, name) };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return ids;
  };
  return {
    ask: async (method, params) => {
      const id = send(method, params);
      return await inbox.take((message) => message.id === id);
    },
    listen: (params) => {
      send("subscriptions/listen", params);
      return Promise.resolve({ next: (method) => inbox.take((message) => message.method === method) });
    },
  };
}

/** Over HTTP, on the daemon's socket. */
export function openRawHttp({ socketPath }: DaemonHome, name = "raw-agent"): RawMcp {
  let ids = 0;
  const post = async (
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const named = params["taskId"] ?? params["name"];
    return await unixFetch(socketPath)("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": modernRevision,
        "mcp-method": method,
        ...(typeof named === "string" ? { "mcp-name": named } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params: envelope(params, name) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return {
    ask: async (method, params) => JSON.parse(await (await post(method, params)).text()) as RawMessage,
    listen: async (params) => {
      const over = new AbortController();
      onTestFinished(() => over.abort());
      const response = await post("subscriptions/listen", params, over.signal);
      const inbox = new Inbox();
      void readEvents(response, inbox).catch(() => undefined); // the test is over
      return { next: (method) => inbox.take((message) => message.method === method) };
    },
  };
}

async function readEvents({ body }: Response, inbox: Inbox): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) inbox.add(JSON.parse(data) as RawMessage);
    }
  }
}
