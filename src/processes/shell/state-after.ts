// What a session remembers once a command of it has ended.
import { realpathSync } from "node:fs";
import { remember, sizeOf, type RememberedVariables } from "./remembered.ts";
import type { ShellEnd } from "./shell-end.ts";
import type { RunningCommand, ShellState } from "./state-files.ts";

// Programs get about 2 MiB of arguments and variables together; a session must not use up what its next command needs.
const mostBytes = 1_048_576;

function isSameDirectory(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false; // one of them is gone
  }
}

function isSame(one: RememberedVariables, other: RememberedVariables): boolean {
  return (
    one.set.size === other.set.size &&
    one.unset.size === other.unset.size &&
    [...one.set].every(([name, value]) => other.set.get(name) === value) &&
    [...one.unset].every((name) => other.unset.has(name))
  );
}

const tooLarge =
  "The variables that an earlier command of this session exported were too large to be passed on; they are as they were before it.";
const noText =
  "The directory that an earlier command of this session ended in has a name that is no text; it is as it was before.";

/** Undefined: the command changed nothing, and what another has left meanwhile stays. */
export function stateAfter(command: RunningCommand, end: ShellEnd, at: number): ShellState | undefined {
  const { session, before, start } = command;
  const after = end.variables === undefined ? before : remember({ before, start, end: end.variables });
  const fits = end.variables !== undefined && sizeOf(after) <= mostBytes;
  // A directory that the caller chose for this command alone is not the session's.
  const hasMoved = end.cwd !== undefined && !isSameDirectory(end.cwd, command.cwd);
  const problem = !fits ? tooLarge : end.cwd === undefined ? noText : null;
  if (!hasMoved && problem === null && isSame(before, after)) return undefined;
  return {
    session,
    cwd: hasMoved ? end.cwd : command.cwdBefore,
    at,
    problem,
    variables: fits ? after : before,
  };
}
