// How a process ended, as data. A child's failure is never an exception, and an end that nobody saw is
// `lost`, never a code.
import { z } from "zod";

export const startStageSchema = z.enum([
  "claim",
  "rundir",
  "pty",
  "pipe",
  "fork",
  "session",
  "rlimit",
  "nice",
  "stdio",
  "cwd",
  "exec",
  "interpreter",
  "deadline",
  "keeper",
  "landlock",
  "namespace",
  "mount",
  "seccomp",
]);
/** The step of a start that failed. */
export type StartStage = z.infer<typeof startStageSchema>;

export const stopReasonSchema = z.enum([
  "none",
  "user",
  "timeout",
  "idle",
  "memory",
  "oom",
  "output",
  "lifetime",
  "replaced",
]);
/** Why Holdfast ended the process; `none` when it ended by itself. */
export type StopReason = z.infer<typeof stopReasonSchema>;

export const exitSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: z.int().min(0).max(255) }),
  // The number of the machine that ran it: real-time signals have no portable name.
  z.object({ kind: z.literal("signaled"), signal: z.int().min(1).max(127), coreDumped: z.boolean() }),
  z.object({ kind: z.literal("spawn_failed"), stage: startStageSchema, errno: z.int() }),
  z.object({ kind: z.literal("lost"), lastSeen: z.int().nonnegative() }),
]);
export type Exit = z.infer<typeof exitSchema>;

const count = z.int().nonnegative();

export const resourceUsageSchema = z.object({ userUs: count, systemUs: count, maxRssKib: count });
/** Of the child and of what it waited for. */
export type ResourceUsage = z.infer<typeof resourceUsageSchema>;

export const exitRecordSchema = z.object({
  exit: exitSchema,
  stopReason: stopReasonSchema,
  /** Who asked for the stop, in their own words. */
  stopBy: z.string().optional(),
  /** Wall clock, milliseconds since 1970. */
  endedAt: count,
  /** Measured on a clock that goes on during sleep and does not jump. */
  durationUs: count,
  /** Absent when nobody could collect it (a lost process). */
  usage: resourceUsageSchema.optional(),
  /** Absolute offset of the end of output when the child ended; a descendant may add more. */
  outputBytes: count,
  /** How many of those could not be stored. */
  gapBytes: count,
  /** Living descendants at that moment. */
  descendants: count,
});
export type ExitRecord = z.infer<typeof exitRecordSchema>;
