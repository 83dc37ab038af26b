// `holdfast acp-terminal`: starts an agent and relays between it and the editor on standard input and output. Loaded as a program of
// its own, so what goes wrong is handed back as data.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { basename } from "node:path";
import type { Writable } from "node:stream";
import { messageLines } from "../acp/relay/message-lines.ts";
import { AcpRelay } from "../acp/relay/relay.ts";
import type { ViewerCommand } from "../acp/relay/viewers.ts";
import { commandLineProgram } from "../supervision/index.ts";
import { callerNice, callerNofile, callerUmask, callerVariables } from "./caller.ts";
import { given } from "./parse/given.ts";
import { SessionClients } from "./session-clients.ts";
import { Signals } from "./terminal/signals.ts";

export interface ServeAcpOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  /** The program and its arguments. */
  readonly agent: readonly string[];
  readonly pty: boolean;
}

/** Its exit code, or 128 + its signal; or why it could not be started. */
export type AgentEnd = { readonly exitCode: number } | { readonly problem: string };

// An agent whose editor has gone ends by itself; one that does not is asked to, then ended.
const leaveMs = 5_000;

/** Resolves when the agent has ended. */
export async function serveAcp(options: ServeAcpOptions): Promise<AgentEnd> {
  const signals = new Signals();
  const child = startAgent(options);
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    await once(child, "spawn");
  } catch (error) {
    ended.catch(() => undefined);
    signals.close();
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  signals.handTo((name) => child.kill(name));
  const clients = new SessionClients(options);
  const relay = createRelay(options, clients, child);
  void relayFromEditor(relay, child).then(() => leave(child));
  await relayFromAgent(relay, child);
  const [code, signal] = await ended;
  relay.close();
  signals.close();
  await clients.close();
  return { exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) };
}

function startAgent({ agent: [program = "", ...args], environment }: ServeAcpOptions): ChildProcess {
  // Told by bin/holdfast about our own caller: not the agent's.
  const { HOLDFAST_SOFT_NOFILE: _limit, ...variables } = environment;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env: variables });
  child.stdin?.on("error", () => undefined); // it has ended: told by its exit
  return child;
}

function createRelay(options: ServeAcpOptions, clients: SessionClients, child: ChildProcess): AcpRelay {
  const { environment, directory, agent, pty, home } = options;
  return new AcpRelay({
    operations: (session) => clients.operations(session),
    agent: basename(agent[0] ?? ""),
    pty,
    start: {
      cwd: directory,
      environment: { caller: callerVariables(environment) },
      umask: callerUmask(),
      ...given({ nice: callerNice(), nofile: callerNofile(environment) }),
    },
    viewer: viewerCommand(home),
    toEditor: (bytes) => write(process.stdout, bytes),
    toAgent: (bytes) => write(child.stdin, bytes),
  });
}

/** It only looks on: whatever the editor does to it does nothing to the process. */
function viewerCommand(home: string): ViewerCommand {
  return {
    command: process.execPath,
    args: [commandLineProgram(), "logs", "--follow"],
    env: [{ name: "HOLDFAST_HOME", value: home }],
  };
}

async function relayFromEditor(relay: AcpRelay, child: ChildProcess): Promise<void> {
  // No encoding is set: chunks are bytes.
  for await (const piece of messageLines(process.stdin as AsyncIterable<Buffer>))
    await relay.fromEditor(piece);
  child.stdin?.end();
}

async function relayFromAgent(relay: AcpRelay, child: ChildProcess): Promise<void> {
  const output = child.stdout as AsyncIterable<Buffer> | null; // as above
  if (output !== null) for await (const piece of messageLines(output)) await relay.fromAgent(piece);
}

/** @param child whose standard input is closed */
function leave(child: ChildProcess): void {
  const asking = setTimeout(() => child.kill("SIGTERM"), leaveMs);
  const ending = setTimeout(() => child.kill("SIGKILL"), 2 * leaveMs);
  child.once("exit", () => {
    clearTimeout(asking);
    clearTimeout(ending);
  });
}

/** Resolves when more may be written; also when nobody reads any more. */
async function write(stream: Writable | null, bytes: Buffer | string): Promise<void> {
  if (stream === null || stream.destroyed || stream.writableEnded || stream.write(bytes)) return;
  const over = new AbortController();
  const options = { signal: over.signal };
  await Promise.race([once(stream, "drain", options), once(stream, "close", options)]).catch(() => undefined);
  over.abort();
}
