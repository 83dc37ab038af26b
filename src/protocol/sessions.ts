// Sessions: who is busy, and what a session waits for before it goes on.
import { z } from "zod";

const key = z.string().min(1).max(256);
const time = z.iso.datetime();

export const sessionViewSchema = z.object({
  session: z.string(),
  activeAt: time,
  busy: z.boolean(),
  busyBy: z.string().nullable(),
  busyUntil: time.nullable(),
  /** Resumptions in a row without a person. */
  resumptions: z.int().nonnegative(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

export const sessionBusyInputSchema = z.object({
  session: key,
  /** Who works on it: the same name ends it or makes it longer. */
  by: key,
  /** After this it counts as idle again, whatever became of whoever said so. */
  leaseMs: z.int().min(100).max(86_400_000).default(60_000),
});
export const sessionIdleInputSchema = z.object({ session: key, by: key.optional() });
/** A person is there: resumptions are counted anew, and what was kept for a person is pushed again. */
export const sessionAttendInputSchema = z.object({ session: key });
export const sessionAttendOutputSchema = sessionViewSchema.extend({ replayed: z.int().nonnegative() });

/** Exactly one of them. */
export const barrierTargetSchema = z.union([
  z.strictObject({ process: z.string().min(1).max(128) }),
  z.strictObject({ pid: z.int().positive() }),
  z.strictObject({ until: time }),
]);
export const barrierSetInputSchema = z.object({ session: key, for: barrierTargetSchema });
export const barrierSessionSchema = z.object({ session: key });
export const barrierViewSchema = z.object({
  session: z.string(),
  /** False: go on. Anything unknown is not waiting, so a stale barrier never holds anybody. */
  waiting: z.boolean(),
  /** Why, in words. */
  reason: z.string(),
  barrier: z
    .object({
      kind: z.enum(["process", "pid", "until"]),
      target: z.string(),
      setAt: time,
    })
    .nullable(),
});
export type BarrierView = z.infer<typeof barrierViewSchema>;
export const barrierClearOutputSchema = z.object({ cleared: z.boolean() });
