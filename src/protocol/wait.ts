// Waiting for something to become true of one or more processes.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";
import { listenerShape } from "./listener.ts";
import { processViewSchema } from "./process.ts";
import { timerMsSchema } from "./timer.ts";

const count = z.int().nonnegative();

export const conditionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exit") }),
  z.object({
    kind: z.literal("match"),
    text: z.string().min(1).optional(),
    /** RE2 syntax: linear time. */
    regex: z.string().min(1).optional(),
    stream: z.enum(["both", "stdout", "stderr"]).default("both"),
    /** Offset to look from; default: the beginning of what is kept. */
    from: count.optional(),
  }),
  z.object({ kind: z.literal("port"), ...listenerShape }),
  z.object({ kind: z.literal("http"), url: z.url(), status: z.int().min(100).max(599).optional() }),
  z.object({ kind: z.literal("idle"), ms: timerMsSchema }),
  z.object({ kind: z.literal("file"), path: z.string().regex(/^[^\0]+$/) }),
]);
export type Condition = z.infer<typeof conditionSchema>;

export const waitInputSchema = z.object({
  ids: z.array(processReferenceSchema).min(1).max(256),
  for: conditionSchema.prefault({ kind: "exit" }),
  /** Return when one of several has met it, or when all have; when all that has not met it has ended, too. */
  mode: z.enum(["any", "all"]).default("all"),
  /** Default: as configured (wait.defaultMs). More than the configured maximum is clamped and said so; zero or less is an error. */
  timeoutMs: z.int().positive().optional(),
});
export type WaitInput = z.infer<typeof waitInputSchema>;

export const waitResultSchema = z.object({
  id: z.string(),
  /** ended: it ended before the condition was met. pending: neither, when the wait returned. */
  outcome: z.enum(["met", "ended", "pending"]),
  /** For a match: the line it stands in and where it begins. */
  match: z.object({ offset: count, line: z.string() }).optional(),
  process: processViewSchema,
});
export type WaitResult = z.infer<typeof waitResultSchema>;

export const waitOutputSchema = z.object({
  outcome: z.enum(["met", "ended", "timeout", "interrupted"]),
  results: z.array(waitResultSchema),
  waitedMs: count,
  /** The timeout in force, when the one asked for was too long. */
  clampedTimeoutMs: count.optional(),
});
export type WaitOutput = z.infer<typeof waitOutputSchema>;
