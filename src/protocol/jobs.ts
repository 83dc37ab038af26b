// Jobs: detached processes whose end somebody is owed, with a hard limit and a result that fits into a message.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";
import { processViewSchema, startInputSchema } from "./process.ts";

const count = z.int().nonnegative();

/** As a start, without what a job decides itself; its end is told, not waited for. */
export const jobRunInputSchema = startInputSchema.omit({
  kind: true,
  lifetime: true,
  stdin: true,
  waitMs: true,
});
export const jobListInputSchema = z.object({
  session: z.string().optional(),
  limit: z.int().positive().max(10_000).default(100),
});
export const jobListOutputSchema = z.object({ jobs: z.array(processViewSchema) });
export const jobReferenceSchema = z.object({ id: processReferenceSchema });
export const jobResultSchema = z.object({
  process: processViewSchema,
  /** The job still runs: the text is what it wrote so far. */
  isFinal: z.boolean(),
  /** How it ended and what it wrote; a long output is its beginning and its end. */
  text: z.string(),
  /** Of the output that is not in the text. */
  omittedBytes: count,
});
