// A process that could not even be given a run directory has written nothing; that is an answer, not an error.
import { stat } from "node:fs/promises";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";

export async function hasNoRun(context: ProcessContext, record: ProcessRecord): Promise<boolean> {
  if (record.exit?.exit.kind !== "spawn_failed") return false;
  return (await stat(directoryOf(context, record.id)).catch(() => undefined)) === undefined; // never claimed
}
