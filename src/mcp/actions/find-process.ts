// Which process an action means.
import { HoldfastError } from "../../protocol/errors.ts";
import type { ProcessInput } from "../tools/process-input.ts";

/** @throws HoldfastError INVALID_ARGUMENT */
export function idOf({ id, action }: ProcessInput): string {
  if (id !== undefined) return id;
  throw new HoldfastError("INVALID_ARGUMENT", `The action "${action}" needs an id.`, {
    hint: 'Give the id of a process; call process with action "list" to see them.',
  });
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function needed<Value>(value: Value | undefined, what: string, action: string): Value {
  if (value !== undefined) return value;
  throw new HoldfastError("INVALID_ARGUMENT", `The action "${action}" needs ${what}.`, {
    hint: `Call it again with ${what}.`,
  });
}
