// A job is named like any process; one that is no job is told so.
import type { ProcessContext } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { ProcessRecord } from "../store/index.ts";

/** @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS, NOT_A_JOB */
export async function findJob({ registry }: ProcessContext, reference: string): Promise<ProcessRecord> {
  const record = await registry.find(reference);
  if (record.kind === "job") return record;
  throw new HoldfastError("NOT_A_JOB", `${record.id} is a process, not a job.`, {
    details: { id: record.id },
  });
}
