// What all calls of one connection share: who calls, and what it has seen. Over HTTP there is no connection, so one is kept per handler.
import { Cursors } from "../cursors.ts";
import type { McpHost } from "../host.ts";
import { Remarks } from "../remarks.ts";
import { sessionKey, type SessionFacts } from "../session-key.ts";
import { defaultResultTokens, leastResultTokens } from "../answer/tool-answer.ts";
import type { ToolCall } from "../tool-call.ts";

export interface CallFacts extends Pick<ToolCall, "signal" | "progress" | "answered" | "person"> {
  /** An argument of the call wins over everything else. */
  readonly session: string | undefined;
  readonly clientName: string | undefined;
}

export class Connection {
  readonly host: McpHost;
  readonly #facts: Pick<SessionFacts, "given" | "directory">;
  readonly #cursors = new Cursors();
  readonly #remarks = new Remarks();

  constructor(host: McpHost, facts: Pick<SessionFacts, "given" | "directory">) {
    this.host = host;
    this.#facts = facts;
  }

  sessionOf({
    session,
    clientName,
    given,
  }: Partial<CallFacts> & { readonly given?: string | undefined }): string {
    return session ?? sessionKey({ ...this.#facts, ...(given === undefined ? {} : { given }), clientName });
  }

  async call(facts: CallFacts & { readonly given?: string | undefined }): Promise<ToolCall> {
    const session = this.sessionOf(facts);
    const operations = this.host.operations(session, facts.answered);
    return {
      operations,
      session,
      signal: facts.signal,
      person: facts.person,
      progress: facts.progress,
      answered: facts.answered,
      budgetTokens: await this.#budget(operations, facts.signal),
      startDefaults: this.host.startDefaults,
      cursors: this.#cursors,
      remarks: this.#remarks,
    };
  }

  async #budget(operations: ToolCall["operations"], signal: AbortSignal): Promise<number> {
    const { value } = await operations.call("config.get", { key: "mcp.resultTokens" }, { signal });
    return typeof value === "number" ? Math.max(leastResultTokens, value) : defaultResultTokens;
  }
}
