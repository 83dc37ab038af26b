// An editor for one test: the official ACP SDK on `holdfast acp-terminal`, which has an agent behind it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  type ClientApp,
  type ClientContext,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { expect, onTestFinished } from "vitest";
import type { CliHome } from "./cli-home.ts";
import { cliProgram, fixtureProgram } from "./programs.ts";

export const agentProgram = fixtureProgram("acp-agent");

export interface EditorOptions {
  /** Terminals of the editor's own. */
  readonly hasTerminals?: boolean;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of another build; default: the sources. */
  readonly program?: string;
}

/** One of the editor's own terminals. */
export interface EditorTerminal {
  readonly command: string;
  readonly args: readonly string[];
  output: string;
  isReleased: boolean;
  readonly ended: Promise<unknown>;
}

export interface AcpEditor {
  readonly child: ChildProcess;
  readonly agent: ClientContext;
  readonly updates: SessionNotification[];
  readonly terminals: Map<string, EditorTerminal>;
  /** Methods the agent asked of the editor, in order. */
  readonly asked: string[];
  /** Lets the agent do these things; answers and what the agent was told about the editor. */
  prompt(sessionId: string, steps: readonly object[]): Promise<{ results: Result[]; told: unknown }>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

export interface Result {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A terminal as any editor has it: it runs what it is told to. */
function openTerminal(
  command: string,
  args: readonly string[],
  env: readonly { name: string; value: string }[],
): EditorTerminal {
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const terminal: EditorTerminal = {
    command,
    args,
    output: "",
    isReleased: false,
    ended: once(child, "close"),
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (terminal.output += chunk.toString()));
  onTestFinished(() => void child.kill("SIGKILL"));
  return terminal;
}

type Seen = Pick<AcpEditor, "updates" | "asked" | "terminals">;

function editorApp({ updates, asked, terminals }: Seen, hasTerminals: boolean): ClientApp {
  const app = client({ name: "editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params))
    .onRequest("fs/read_text_file", ({ params }) => {
      asked.push("fs/read_text_file");
      return { content: `content of ${params.path}` };
    })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push("session/request_permission");
      return { outcome: { outcome: "selected", optionId: JSON.stringify(params.toolCall.content) } };
    });
  if (!hasTerminals) return app;
  return app
    .onRequest("terminal/create", ({ params: { command, args = [], env = [] } }) => {
      asked.push("terminal/create");
      const terminalId = `editor-${terminals.size + 1}`;
      terminals.set(terminalId, openTerminal(command, args, env));
      return { terminalId };
    })
    .onRequest("terminal/wait_for_exit", async ({ params }) => {
      asked.push("terminal/wait_for_exit");
      await terminals.get(params.terminalId)?.ended;
      return { exitCode: 0 };
    })
    .onRequest("terminal/release", ({ params }) => {
      asked.push("terminal/release");
      const terminal = terminals.get(params.terminalId);
      if (terminal !== undefined) terminal.isReleased = true;
      return {};
    });
}

export function openAcpEditor(home: CliHome, options: EditorOptions = {}): AcpEditor {
  const agentArgs = options.args ?? ["--", process.execPath, agentProgram];
  const child = spawn(process.execPath, [options.program ?? cliProgram, "acp-terminal", ...agentArgs], {
    env: { ...home.environment, ...options.environment },
    cwd: options.cwd ?? "/",
    stdio: ["pipe", "pipe", "pipe"],
  });
  const seen: Seen = { updates: [], asked: [], terminals: new Map() };
  const app = editorApp(seen, options.hasTerminals === true);
  // Node's types of these streams differ from the platform's by name only.
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  const ended = once(child, "exit").then(([code]) => code as number | null);
  onTestFinished(async () => {
    connection.close();
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    agent: connection.agent,
    ...seen,
    ended,
    prompt: async (sessionId, steps) => {
      const text = JSON.stringify(steps);
      const { _meta } = await connection.agent.request("session/prompt", {
        sessionId,
        prompt: [{ type: "text", text }],
      });
      expect(_meta).toBeDefined();
      return _meta as { results: Result[]; told: unknown }; // as the fixture answers
    },
  };
}

/** The handshake, and a session in a directory. */
export async function beginSession(
  { agent }: AcpEditor,
  { cwd = "/", hasTerminals = false } = {},
): Promise<string> {
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { terminal: hasTerminals } });
  const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
  return sessionId;
}
