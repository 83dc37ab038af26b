// What the parts of notifications share.
import type { ProcessContext } from "../processes/index.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { Outbox } from "./outbox.ts";

export interface NotificationContext {
  readonly processes: ProcessContext;
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  /** Takes secrets out of what goes to a model or a person. */
  readonly redact: (text: string) => string;
}
