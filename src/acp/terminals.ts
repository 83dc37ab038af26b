// The terminals of an ACP client, kept by Holdfast. A terminal is a process and its id is the process's, so nothing needs to be
// remembered here: after the editor, the agent, this program or the daemon was killed, the same id answers again.
import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import type { Operations } from "../protocol/operations.ts";
import { AcpRequestError, asRequestError, rpcCode, type RequestErrorClass } from "./request-error.ts";
import {
  terminalMethods,
  terminalParams,
  type TerminalAnswers,
  type TerminalMethod,
  type TerminalParams,
} from "./terminal-methods.ts";
import { findTerminal, readTerminal, stopTerminal, waitForExit } from "./terminal-process.ts";
import { startInputOf, type TerminalStart } from "./terminal-start.ts";

export interface AcpTerminalsOptions {
  /** Tells agents apart whose session ids could be the same; default: "". */
  readonly agent?: string;
  /** Directory, environment and limits of commands. */
  readonly start?: TerminalStart;
  /** Where a session works: for commands that name no directory. */
  readonly directoryOf?: (sessionId: string) => string | undefined;
  /** Give commands a terminal; default: pipes, in the order of writing. */
  readonly pty?: boolean;
  /** How long a command waits for a person where the policy asks one; default 60 s. */
  readonly approvalWaitMs?: number;
  /** The RequestError of your ACP SDK: only an error of its own class keeps its code there. */
  readonly RequestError?: RequestErrorClass;
}

export interface TerminalCall<Method extends TerminalMethod> {
  readonly params: TerminalParams<Method>;
  /** Ends a wait; never a process. */
  readonly signal?: AbortSignal | undefined;
}

/** One handler for each method, as `onRequest` of the ACP SDK takes them. */
export type AcpTerminals = {
  readonly [Method in TerminalMethod]: (call: TerminalCall<Method>) => Promise<TerminalAnswers[Method]>;
};

const defaultApprovalWaitMs = 60_000;

/** @param operations of one client for all sessions, or of one for each session's key */
export function acpTerminals(
  operations: Operations | ((session: string) => Operations),
  options: AcpTerminalsOptions = {},
): AcpTerminals {
  const terminals = new Terminals(operations, options);
  const handlers = terminalMethods.map((method) => [
    method,
    async (call: TerminalCall<typeof method>) => await terminals.answer(method, call),
  ]);
  return Object.fromEntries(handlers) as AcpTerminals; // one for each name of the table
}

/** The key under which Holdfast has what an ACP session started. */
export function acpSessionKey(sessionId: string, agent = ""): string {
  return `acp-${createHash("sha256").update(`${agent}\0${sessionId}`).digest("hex").slice(0, 16)}`;
}

class Terminals {
  readonly #operationsOf: (session: string) => Operations;
  readonly #options: AcpTerminalsOptions;
  readonly #RequestError: RequestErrorClass;
  readonly #released = new Set<string>();

  constructor(operations: Operations | ((session: string) => Operations), options: AcpTerminalsOptions) {
    this.#operationsOf = typeof operations === "function" ? operations : () => operations;
    this.#options = options;
    this.#RequestError = options.RequestError ?? AcpRequestError;
  }

  async answer(method: TerminalMethod, { params, signal }: TerminalCall<TerminalMethod>): Promise<unknown> {
    try {
      const parsed = terminalParams[method].safeParse(params);
      if (!parsed.success) throw this.#invalid(parsed.error.issues[0]?.message ?? "", parsed.error.issues);
      // What follows is what the schema of the method has just said.
      return method === "terminal/create"
        ? await this.#create(parsed.data as TerminalParams<"terminal/create">)
        : await this.#use(method, parsed.data as TerminalParams<"terminal/output">, signal);
    } catch (error) {
      throw asRequestError(error, this.#RequestError, signal);
    }
  }

  async #create(params: TerminalParams<"terminal/create">): Promise<TerminalAnswers["terminal/create"]> {
    const { start = {}, pty = false, agent, approvalWaitMs = defaultApprovalWaitMs } = this.#options;
    const cwd = params.cwd ?? this.#options.directoryOf?.(params.sessionId) ?? start.cwd;
    if (cwd !== undefined && !isAbsolute(cwd)) throw this.#invalid(`cwd is no absolute path: ${cwd}`);
    const session = acpSessionKey(params.sessionId, agent);
    const input = startInputOf(params, { session, start, cwd, pty, approvalWaitMs });
    const { id, exit } = await this.#operationsOf(session).call("process.start", input);
    if (exit?.kind === "spawn_failed") throw this.#invalid(`it cannot be started: ${exit.message}`, exit);
    return { terminalId: id };
  }

  async #use(
    method: Exclude<TerminalMethod, "terminal/create">,
    { sessionId, terminalId }: TerminalParams<"terminal/output">,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const operations = this.#operationsOf(acpSessionKey(sessionId, this.#options.agent));
    const options = signal === undefined ? {} : { signal };
    const isReleased = this.#released.has(terminalId);
    const view = isReleased ? undefined : await findTerminal(operations, sessionId, terminalId, options);
    if (view === undefined) {
      const message = `Resource not found: no terminal of this session is ${terminalId}`;
      throw new this.#RequestError(rpcCode.notFound, message, { terminalId });
    }
    if (method === "terminal/output") return await readTerminal(operations, view, options);
    if (method === "terminal/wait_for_exit") return await waitForExit(operations, view, options);
    await stopTerminal(operations, view.id);
    if (method === "terminal/release") this.#released.add(view.id);
    return {};
  }

  #invalid(message: string, data?: unknown): Error {
    return new this.#RequestError(rpcCode.invalidParams, `Invalid params: ${message}`, data);
  }
}
