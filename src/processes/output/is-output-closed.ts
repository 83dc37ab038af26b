// Whether the output of a process can still grow. A descendant may outlive the child and write on: its keeper knows.
import { mayHaveKeeper } from "../../keeper/index.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, keptProcess, type ProcessContext } from "../context.ts";

/** An ended process that left nobody behind wrote its last byte before it ended. */
export function leftNobody({ state, exit }: ProcessRecord): boolean {
  return state === "ended" && (exit?.descendants ?? 0) === 0;
}

export async function isOutputClosed(context: ProcessContext, record: ProcessRecord): Promise<boolean> {
  if (leftNobody(record)) return true;
  if (record.state !== "ended") return false;
  if (!(await mayHaveKeeper(directoryOf(context, record.id)))) return true;
  const kept = keptProcess(context, record.id);
  try {
    return (await kept.state()).isOutputClosed;
  } catch {
    return false; // nobody can tell: whoever asks again may learn more
  } finally {
    kept.close();
  }
}
