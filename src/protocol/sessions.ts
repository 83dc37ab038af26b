// Sessions: who is busy, and what a session waits for before it goes on.
import { z } from "zod";
import { longestTimerMs } from "./timer.ts";
import { stopResultSchema } from "./control.ts";

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

export const sessionDetailSchema = sessionViewSchema.extend({
  /** When it ends if nothing more is heard of it; null: not while somebody is connected or busy, or never by itself. */
  endsAt: time.nullable(),
  /** Processes of it that run, and how many of these end with it. */
  running: z.int().nonnegative(),
  endWithIt: z.int().nonnegative(),
  /** What its last shell command left; null: it has used none. Of variables only the names are ever told. */
  shell: z
    .object({ cwd: z.string().nullable(), set: z.array(z.string()), unset: z.array(z.string()) })
    .nullable(),
});
export type SessionDetail = z.infer<typeof sessionDetailSchema>;

export const sessionListInputSchema = z.object({});
export const sessionListOutputSchema = z.object({ sessions: z.array(sessionDetailSchema) });
export const sessionGetInputSchema = z.object({ session: key });
/** For good: processes of lifetime session are stopped, what its shell remembers is forgotten; notices and other processes stay. */
export const sessionEndInputSchema = z.object({
  session: key,
  /** Between asking its processes to end and killing them. */
  graceMs: z.int().min(0).max(longestTimerMs).optional(),
});
export const sessionEndOutputSchema = z.object({
  session: z.string(),
  results: z.array(stopResultSchema),
  shellForgotten: z.boolean(),
});

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
