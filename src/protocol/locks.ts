// Scoped locks: one process per identity (a token, an account, a port), per user and machine, across homes.
import { z } from "zod";
import {
  identityProblem,
  metaProblem,
  mostLockWaitMs,
  mostMetaEntries,
  mostMetaKeyCharacters,
  mostMetaValueCharacters,
  scopePattern,
  scopeRule,
} from "./lock-limits.ts";

const pid = z.int().positive();
const time = z.iso.datetime();

const scopeSchema = z.string().regex(scopePattern, scopeRule);
const identitySchema = z.string().superRefine((identity, context) => {
  const problem = identityProblem(identity);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const metaSchema = z
  .record(z.string().min(1).max(mostMetaKeyCharacters), z.string().max(mostMetaValueCharacters))
  .refine((meta) => metaProblem(meta) === undefined, `at most ${mostMetaEntries} entries`);

/** Who has a lock. A pid alone is reused, and means something only in its own PID namespace. */
export const lockOwnerSchema = z.object({
  pid,
  startTime: z.int().nonnegative(),
  bootId: z.string(),
  pidNamespace: z.string(),
  /** The name of its program when it acquired the lock; null where nobody could tell. */
  command: z.string().nullable(),
});
export type LockOwner = z.infer<typeof lockOwnerSchema>;

/**
 * What can be proven about the owner. stopped: by a signal, until it is continued. gone: ended, or of an earlier boot. unknown: it could
 * not be looked at. foreign: of another PID namespace. damaged: what is recorded names nobody.
 */
export const lockStateSchema = z.enum(["running", "stopped", "gone", "unknown", "foreign", "damaged"]);
export type LockState = z.infer<typeof lockStateSchema>;

export const lockViewSchema = z.object({
  scope: z.string(),
  /** SHA-256 over scope and identity; the identity itself is kept nowhere. */
  identityHash: z.string(),
  /** Null when the record is damaged or cannot be read. */
  owner: lockOwnerSchema.nullable(),
  state: lockStateSchema,
  /** The next one who asks gets it: the owner is stopped or gone, or the record is damaged. */
  stale: z.boolean(),
  meta: z.record(z.string(), z.string()),
  acquiredAt: time.nullable(),
  updatedAt: time.nullable(),
  /** The directory of this lock. */
  path: z.string(),
});
export type LockView = z.infer<typeof lockViewSchema>;

export const lockAcquireInputSchema = z.object({
  scope: scopeSchema,
  identity: identitySchema,
  /** The owner; default: the process at the other end of the connection. */
  pid: pid.optional(),
  /** Takes the place of what was there; default: what was there stays. */
  meta: metaSchema.optional(),
  /** How long to wait for it while another has it. */
  waitMs: z.int().nonnegative().max(mostLockWaitMs).default(0),
});

/** acquired: nobody had it. taken_over: from an owner that is stopped or gone. updated: the owner had it already. */
export const lockOutcomeSchema = z.enum(["acquired", "taken_over", "updated"]);
export type LockOutcome = z.infer<typeof lockOutcomeSchema>;

export const lockAcquireOutputSchema = z.object({
  outcome: lockOutcomeSchema,
  lock: lockViewSchema,
  /** Whose it was, as it was found; only with taken_over. */
  replaced: lockViewSchema.nullable(),
});
export type LockAcquired = z.infer<typeof lockAcquireOutputSchema>;

export const lockReleaseInputSchema = z
  .object({
    scope: scopeSchema.optional(),
    identity: identitySchema.optional(),
    /** Every lock of the owner, instead of one. */
    all: z.boolean().default(false),
    /** The owner; default: the process at the other end of the connection. */
    pid: pid.optional(),
  })
  .refine(
    ({ all, scope, identity }) =>
      all ? scope === undefined && identity === undefined : scope !== undefined && identity !== undefined,
    "either scope and identity, or all",
  );
export const lockReleaseOutputSchema = z.object({ released: z.array(lockViewSchema) });

export const lockListInputSchema = z.object({ scope: scopeSchema.optional() });
export const lockListOutputSchema = z.object({
  /** Where the locks are: who has another directory has other locks. */
  directory: z.string(),
  locks: z.array(lockViewSchema),
});
export type LockList = z.infer<typeof lockListOutputSchema>;
