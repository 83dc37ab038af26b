// The terminal methods of ACP, version 1: what an agent asks and what it is told. Fields nobody here looks at are left alone.
import { z } from "zod";

const text = z.string();
// Left out and null mean the same in ACP.
const terminal = { sessionId: text.min(1), terminalId: text.min(1) };

export const terminalParams = {
  "terminal/create": z.object({
    sessionId: text.min(1),
    command: text.min(1),
    args: z.array(text).nullish(),
    env: z.array(z.object({ name: text, value: text })).nullish(),
    cwd: text.nullish(),
    outputByteLimit: z.int().nonnegative().nullish(),
  }),
  "terminal/output": z.object(terminal),
  "terminal/wait_for_exit": z.object(terminal),
  "terminal/kill": z.object(terminal),
  "terminal/release": z.object(terminal),
} as const;

export type TerminalMethod = keyof typeof terminalParams;
export type TerminalParams<Method extends TerminalMethod> = z.infer<(typeof terminalParams)[Method]>;

/** Both null: it ended, and nobody can know how. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface TerminalAnswers {
  readonly "terminal/create": { readonly terminalId: string };
  readonly "terminal/output": {
    readonly output: string;
    readonly truncated: boolean;
    readonly exitStatus: TerminalExit | null;
  };
  readonly "terminal/wait_for_exit": TerminalExit;
  readonly "terminal/kill": Readonly<Record<string, never>>;
  readonly "terminal/release": Readonly<Record<string, never>>;
}

export const terminalMethods = Object.keys(terminalParams) as TerminalMethod[];

export function isTerminalMethod(method: string): method is TerminalMethod {
  return Object.hasOwn(terminalParams, method);
}
