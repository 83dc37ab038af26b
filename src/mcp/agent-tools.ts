// The tools for a program that calls a model itself: run over any implementation of the operations.
import type { Operations } from "../protocol/operations.ts";
import { callTool } from "./call-tool.ts";
import type { ToolAnswer } from "./answer/tool-answer.ts";
import { defaultResultTokens } from "./answer/tool-answer.ts";
import { Cursors } from "./cursors.ts";
import { Remarks } from "./remarks.ts";
import type { StartDefaults } from "./tool-call.ts";
import { toolNames, toolTable, type ToolName } from "./tools/tool-table.ts";

export interface AgentToolsOptions {
  /** Whose processes they are: the same key finds them again. */
  readonly session: string;
  /** How large an answer may be; default 8,000. */
  readonly resultTokens?: number;
  /** Directory, environment and limits of commands. */
  readonly start?: StartDefaults;
}

export interface RunOptions {
  /** Ends waits; never a process. */
  readonly signal?: AbortSignal | undefined;
}

/** As the Vercel AI SDK takes tools: an object of them goes into `tools` as it is. */
export interface AiSdkTool<Name extends ToolName> {
  readonly description: string;
  readonly inputSchema: (typeof toolTable)[Name]["input"];
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

export interface AgentTools {
  /** Answers whatever a model sends; never throws. */
  run(name: string, input: unknown, options?: RunOptions): Promise<ToolAnswer>;
  readonly aiSdk: { readonly [Name in ToolName]: AiSdkTool<Name> };
}

export function agentTools(operations: Operations, options: AgentToolsOptions): AgentTools {
  const cursors = new Cursors();
  const remarks = new Remarks();
  const run = async (name: string, input: unknown, { signal }: RunOptions = {}): Promise<ToolAnswer> =>
    await callTool(name, input, (session) =>
      Promise.resolve({
        operations,
        session: session ?? options.session,
        signal: signal ?? new AbortController().signal,
        budgetTokens: options.resultTokens ?? defaultResultTokens,
        startDefaults: options.start ?? {},
        cursors,
        remarks,
        // Whoever calls a model has its own ways to ask a person.
        person: undefined,
        progress: undefined,
        // Whoever calls a function has its answer.
        answered: () => Promise.resolve(true),
      }),
    );
  const toolOf = (name: ToolName): AiSdkTool<ToolName> => ({
    description: toolTable[name].description,
    inputSchema: toolTable[name].input,
    execute: async (input, { abortSignal } = {}) => (await run(name, input, { signal: abortSignal })).text,
  });
  // The table gives every name its own schema; the union is lost on the way.
  const aiSdk = Object.fromEntries(
    toolNames.map((name) => [name, toolOf(name)]),
  ) as unknown as AgentTools["aiSdk"];
  return { run, aiSdk };
}
