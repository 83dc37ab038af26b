// An agent for one test: the official MCP client, on `holdfast mcp`, in a home of its own. When the test finishes the server is gone.
import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished } from "vitest";
import type { CliHome } from "./cli-home.ts";
import type { DaemonHome } from "./daemon-home.ts";
import { cliProgram, programCommand } from "./programs.ts";
import { unixFetch } from "./unix-fetch.ts";

export type Era = "legacy" | "modern";
export const eras: readonly Era[] = ["legacy", "modern"];
export const modernRevision = "2026-07-28";

export interface Told {
  readonly text: string;
  /** What a model of most clients is shown. */
  readonly facts: Record<string, unknown>;
  readonly isError: boolean;
}

export interface Agent {
  readonly client: Client;
  /** Of the server's process; 0 over HTTP. */
  readonly pid: () => number;
  call(tool: string, args?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
}

export interface AgentOptions {
  readonly era?: Era;
  readonly name?: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of another build, or from the sources; default: as it is installed. */
  readonly program?: string;
  readonly client?: ClientOptions;
}

function negotiationOf(era: Era): ClientOptions {
  return { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: modernRevision } } };
}

function agentOf(client: Client, pid: () => number): Agent {
  return {
    client,
    pid,
    close: () => client.close(),
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const [first] = result.content;
      const text = first?.type === "text" ? first.text : "";
      expect(text, JSON.stringify(result)).not.toBe("");
      return {
        text,
        facts: (result.structuredContent ?? {}) as Record<string, unknown>, // our tools answer with objects
        isError: result.isError === true,
      };
    },
  };
}

/** Starts `holdfast mcp` as an agent's host would. */
export async function openAgent(home: CliHome, options: AgentOptions = {}): Promise<Agent> {
  const { era = "legacy", name = "test-agent" } = options;
  const [command, ...args] = programCommand(options.program ?? cliProgram, "mcp", ...(options.args ?? []));
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...home.environment, ...options.environment },
    cwd: options.cwd ?? "/",
    stderr: "pipe",
  });
  const client = new Client({ name, version: "1.0.0" }, { ...negotiationOf(era), ...options.client });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return agentOf(client, () => transport.pid ?? 0);
}

/** The daemon itself, over streamable HTTP on its socket. */
export async function openHttpAgent(
  { socketPath }: DaemonHome,
  {
    era,
    name = "http-agent",
    headers = {},
    client: more = {},
  }: { era: Era; name?: string; headers?: Record<string, string>; client?: ClientOptions },
): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: unixFetch(socketPath),
    requestInit: { headers },
  });
  const client = new Client({ name, version: "1.0.0" }, { ...negotiationOf(era), ...more });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return agentOf(client, () => 0);
}

export function idOf({ facts }: Told): string {
  expect(facts["id"]).toMatch(/^p_/);
  return String(facts["id"]);
}

const askDeadlineMs = 20_000;

/** Asks the tool `process` until it tells what is waited for; fails with what was told last. */
export async function untilTold(
  agent: Agent,
  args: Record<string, unknown>,
  isThere: (told: Told) => boolean,
): Promise<Told> {
  const deadlineMs = performance.now() + askDeadlineMs;
  for (;;) {
    const told = await agent.call("process", args);
    if (isThere(told)) return told;
    if (performance.now() > deadlineMs) throw new Error(`not within ${askDeadlineMs} ms: ${told.text}`);
  }
}
