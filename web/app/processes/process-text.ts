// A process in few words.
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessView } from "#protocol/process.ts";

export function titleOf({ name, command }: Pick<ListedProcess, "name" | "command">): string {
  return name ?? command;
}

/** For a narrow column; the whole sentence belongs in the title beside it. */
export function shortState({ state, exit }: ProcessView): string {
  if (exit === null) return state;
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? "succeeded" : `code ${exit.code}`;
    case "signaled":
      return exit.signal;
    case "spawn_failed":
      return "not started";
    default:
      return "lost";
  }
}
