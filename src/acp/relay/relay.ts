// Stands between an editor and its agent, passes on what they say, and answers the terminal methods itself.
import type { Operations } from "../../protocol/operations.ts";
import { AcpRequestError, rpcCode } from "../request-error.ts";
import { isTerminalMethod, type TerminalMethod } from "../terminal-methods.ts";
import { acpSessionKey, acpTerminals, type AcpTerminals, type AcpTerminalsOptions } from "../terminals.ts";
import { EditorRequests } from "./editor-requests.ts";
import { isFields, messageText, readMessage, type Fields, type Message } from "./message.ts";
import type { Piece } from "./message-lines.ts";
import { SessionDirectories } from "./session-directories.ts";
import { terminalText } from "./terminal-text.ts";
import { ToolContents } from "./tool-contents.ts";
import { Viewers, type ViewerCommand } from "./viewers.ts";

export interface RelayOptions extends Pick<AcpTerminalsOptions, "agent" | "start" | "pty"> {
  /** Of a session's key. */
  readonly operations: (session: string) => Operations;
  readonly viewer: ViewerCommand;
  readonly toEditor: (bytes: Buffer | string) => Promise<void>;
  readonly toAgent: (bytes: Buffer | string) => Promise<void>;
}

const version = 1;

export class AcpRelay {
  readonly #options: RelayOptions;
  readonly #terminals: AcpTerminals;
  readonly #directories = new SessionDirectories();
  readonly #editor: EditorRequests;
  readonly #viewers: Viewers;
  readonly #contents: ToolContents;
  /** What is being answered, by the agent's id of it. */
  readonly #answering = new Map<string, AbortController>();
  #initializeId: string | undefined;
  #isServing = false;
  #editorHasTerminals = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    const directoryOf = (sessionId: string): string | undefined => this.#directories.of(sessionId);
    this.#terminals = acpTerminals(options.operations, { ...options, directoryOf });
    this.#editor = new EditorRequests((text) => options.toEditor(text));
    this.#viewers = new Viewers(this.#editor, options.viewer);
    this.#contents = new ToolContents((sessionId, terminalId) => this.#show(sessionId, terminalId));
  }

  async fromEditor({ bytes, isLine }: Piece): Promise<void> {
    const message = isLine ? readMessage(bytes) : undefined;
    if (message !== undefined) {
      if (this.#editor.take(message)) return;
      this.#directories.noteRequest(message);
      if (message.method === "initialize") {
        await this.#options.toAgent(messageText(this.#withTerminals(message)));
        return;
      }
    }
    await this.#options.toAgent(bytes);
  }

  /** Resolves when it was passed on; an answer of ours may come later. */
  async fromAgent({ bytes, isLine }: Piece): Promise<void> {
    const message = isLine ? readMessage(bytes) : undefined;
    if (message !== undefined) {
      if (message.method === undefined) this.#noteAnswer(message);
      if (this.#isServing && this.#isForUs(message)) return;
      const shown = this.#isServing ? await this.#contents.shown(message) : undefined;
      if (shown !== undefined) {
        await this.#options.toEditor(messageText(shown));
        return;
      }
    }
    await this.#options.toEditor(bytes);
  }

  /** Waits end; processes go on. */
  close(): void {
    for (const controller of this.#answering.values()) controller.abort();
    this.#editor.close();
  }

  #withTerminals({ id, fields, params }: Message): Fields {
    this.#initializeId = id;
    const { protocolVersion, clientCapabilities } = params;
    const capabilities = isFields(clientCapabilities) ? clientCapabilities : {};
    this.#editorHasTerminals = capabilities["terminal"] === true;
    // Later versions have no terminals of the client.
    if (protocolVersion !== version && !isFields(clientCapabilities)) return fields;
    return { ...fields, params: { ...params, clientCapabilities: { ...capabilities, terminal: true } } };
  }

  #noteAnswer(message: Message): void {
    this.#directories.noteAnswer(message);
    if (message.id === undefined || message.id !== this.#initializeId) return;
    const { result } = message.fields;
    this.#isServing = isFields(result) && result["protocolVersion"] === version;
  }

  #isForUs({ method = "", id, fields, params }: Message): boolean {
    if (method === "$/cancel_request") {
      const running = this.#answering.get(JSON.stringify(params["requestId"]));
      running?.abort();
      return running !== undefined;
    }
    if (!isTerminalMethod(method) || id === undefined) return false;
    void this.#answer(method, id, fields, params);
    return true;
  }

  async #answer(method: TerminalMethod, id: string, fields: Fields, params: Fields): Promise<void> {
    const controller = new AbortController();
    this.#answering.set(id, controller);
    let answer: Fields;
    try {
      const { signal } = controller;
      const handler = this.#terminals[method] as (call: object) => Promise<unknown>; // checks what it is given
      const result = await handler({ params, signal });
      await this.#told(method, params, result);
      answer = { result };
    } catch (error) {
      answer = { error: errorOf(error) };
    }
    this.#answering.delete(id);
    await this.#options.toAgent(messageText({ jsonrpc: "2.0", id: fields["id"], ...answer }));
  }

  async #told(method: TerminalMethod, { sessionId, terminalId }: Fields, result: unknown): Promise<void> {
    if (!this.#editorHasTerminals || typeof sessionId !== "string") return;
    const made = isFields(result) ? result["terminalId"] : undefined;
    // Before the agent knows it: it may show it at once.
    if (method === "terminal/create") await this.#viewers.open(sessionId, String(made));
    if (method === "terminal/release") void this.#viewers.release(sessionId, String(terminalId));
  }

  async #show(sessionId: string, terminalId: string): Promise<Fields | undefined> {
    const viewer = this.#viewers.idOf(terminalId);
    if (viewer !== undefined) return { type: "terminal", terminalId: viewer };
    const operations = this.#options.operations(acpSessionKey(sessionId, this.#options.agent));
    return await terminalText(operations, sessionId, terminalId);
  }
}

function errorOf(error: unknown): Fields {
  if (error instanceof AcpRequestError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return { code: rpcCode.internal, message: error instanceof Error ? error.message : String(error) };
}
