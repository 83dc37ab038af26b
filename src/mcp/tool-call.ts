// What every tool may use while it answers one call.
import type { Operations } from "../protocol/operations.ts";
import type { OperationInput } from "../protocol/operations.ts";
import type { PersonDoor } from "./approvals/person-door.ts";
import type { Cursors } from "./cursors.ts";
import type { Remarks } from "./remarks.ts";

/** What a command gets from whoever runs this server: its environment, its limits. */
export type StartDefaults = Pick<
  OperationInput<"process.start">,
  "environment" | "umask" | "nice" | "nofile" | "cwd"
>;

export interface ToolCall {
  /** Asked for the session of this call. */
  readonly operations: Operations;
  readonly session: string;
  /** The caller gave up, or its connection is gone: waits end, processes do not. */
  readonly signal: AbortSignal;
  readonly budgetTokens: number;
  readonly startDefaults: StartDefaults;
  readonly cursors: Cursors;
  readonly remarks: Remarks;
  /** Where the person at the client can be asked; undefined: nowhere there. */
  readonly person: PersonDoor | undefined;
  /** Says how a wait stands, to clients that asked to hear it. */
  readonly progress: ((done: number, total: number, message: string) => void) | undefined;
  /** Resolves when the answer is out; false: it never reached the caller. */
  readonly answered: () => Promise<boolean>;
}
