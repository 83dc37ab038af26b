// What may run: decisions, approvals that a person answers, and the record of both.
import { z } from "zod";
import { approvalIdSchema, grantIdSchema } from "./ids.ts";
import { commandSchema } from "./process.ts";
import { longestTimerMs } from "./timer.ts";

const count = z.int().nonnegative();
const time = z.iso.datetime();
const key = z.string().min(1).max(256);

export const decisionSchema = z.enum(["allow", "ask", "deny"]);
export type Decision = z.infer<typeof decisionSchema>;

/** rule: one of the profile. default: none fitted. */
export const policyReasonSchema = z.object({
  kind: z.enum(["rule", "default", "sudo", "opaque", "protected"]),
  decision: decisionSchema,
  /** How the rule is called in answers, grants and the audit log. */
  rule: z.string(),
  /** Which part of the command it is about, redacted. */
  command: z.string(),
  /** Why, in words. */
  text: z.string(),
});
export type PolicyReason = z.infer<typeof policyReasonSchema>;

export const policyCheckInputSchema = z.object({
  command: commandSchema,
  cwd: z.string().min(1).optional(),
  session: key.optional(),
  profile: key.default("default"),
});
export const policyCheckOutputSchema = z.object({
  /** With the session's lifts and grants counted in. */
  decision: decisionSchema,
  profile: z.string(),
  /** False: nothing is configured for this profile, so nothing was looked at. */
  configured: z.boolean(),
  /** Every command that was found in it, word by word. */
  commands: z.array(z.array(z.string())),
  /** Only what is not simply allowed by default; the strictest first. */
  reasons: z.array(policyReasonSchema),
  /** The grant that turned ask into allow, if one did. */
  lifted: z.string().nullable(),
});
export type PolicyCheck = z.infer<typeof policyCheckOutputSchema>;

export const grantSchema = z.object({
  id: z.string(),
  /** Null: for everybody in the profile. */
  session: z.string().nullable(),
  /** Null: in every profile. */
  profile: z.string().nullable(),
  /** The rule that no longer asks; null: none does. */
  rule: z.string().nullable(),
  by: z.string(),
  createdAt: time,
  expiresAt: time.nullable(),
});
export type GrantView = z.infer<typeof grantSchema>;

export const policyLiftInputSchema = z.object({
  session: key,
  /** Default: until it is restored. */
  forMs: z.int().min(1_000).max(longestTimerMs).optional(),
});
export const policyRestoreInputSchema = z
  .object({ session: key.optional(), grant: grantIdSchema.optional() })
  .refine(
    ({ session, grant }) => (session === undefined) !== (grant === undefined),
    "either session or grant",
  );
export const policyRestoreOutputSchema = z.object({ ended: count });

export const policyListInputSchema = z.object({ profile: key.default("default") });
export const policyListOutputSchema = z.object({
  profile: z.string(),
  /** The profile whose policy counts here: this one's, or that of `default`; null: none, everything is allowed. */
  from: z.string().nullable(),
  default: decisionSchema,
  opaque: decisionSchema,
  sudo: decisionSchema,
  rules: z.array(z.object({ name: z.string(), decision: decisionSchema, command: z.string() })),
  protect: z.array(
    z.object({ path: z.string(), access: z.enum(["write", "any"]), decision: z.enum(["ask", "deny"]) }),
  ),
  grants: z.array(grantSchema),
});
export type PolicyList = z.infer<typeof policyListOutputSchema>;

export const approvalStateSchema = z.enum(["pending", "approved", "refused", "expired"]);
export type ApprovalState = z.infer<typeof approvalStateSchema>;
/** session, always: the rules that asked do not ask again, in this session or in this profile. */
export const approvalAnswerSchema = z.enum(["once", "session", "always", "deny"]);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

export const approvalSchema = z.object({
  id: z.string(),
  state: approvalStateSchema,
  session: z.string().nullable(),
  task: z.string().nullable(),
  profile: z.string(),
  /** Redacted. */
  command: z.string(),
  cwd: z.string(),
  reasons: z.array(policyReasonSchema),
  createdAt: time,
  /** Unanswered until then, it is refused. */
  expiresAt: time,
  answeredAt: time.nullable(),
  answer: approvalAnswerSchema.nullable(),
  answeredBy: z.string().nullable(),
  note: z.string().nullable(),
  /** Starts that wait for the answer at this moment. */
  waiting: count,
  /** An answer that nobody waited for counts for the same command once, until this is set. */
  usedAt: time.nullable(),
});
export type ApprovalView = z.infer<typeof approvalSchema>;

export const approvalListInputSchema = z.object({
  session: key.optional(),
  states: z.array(approvalStateSchema).optional(),
  limit: z.int().positive().max(1_000).default(100),
});
export const approvalListOutputSchema = z.object({ approvals: z.array(approvalSchema) });

export const approvalAnswerInputSchema = z.object({
  approval: approvalIdSchema,
  answer: approvalAnswerSchema,
  /** Told to whoever asked. */
  note: z.string().min(1).max(500).optional(),
  /** Where the person says it, for the record: the command line, the dashboard, a form of a client. */
  via: z
    .string()
    .regex(/^[\x20-\x7e]{1,100}$/, "1-100 printable ASCII characters")
    .default("API"),
});

export const auditEntrySchema = z.object({
  cursor: count,
  at: time,
  /**
   * decided: of a start. asked, answered, expired: of an approval. granted, restored: of a lift. configured: of a key that decides who
   * may do what. shared: of a process. Of whoever comes by the network: signed-in, signed-out, sign-in-refused; refused: a request; acted: a verb;
   * token-created, token-revoked.
   */
  what: z.enum([
    "decided",
    "asked",
    "answered",
    "expired",
    "granted",
    "restored",
    "configured",
    "shared",
    "signed-in",
    "signed-out",
    "sign-in-refused",
    "refused",
    "acted",
    "token-created",
    "token-revoked",
  ]),
  decision: decisionSchema,
  session: z.string().nullable(),
  task: z.string().nullable(),
  profile: z.string().nullable(),
  /** Redacted. Of what came by the network: the verb or address, and why it was refused. */
  command: z.string().nullable(),
  cwd: z.string().nullable(),
  /** The rules that decided, by name. */
  rules: z.array(z.string()),
  approval: z.string().nullable(),
  /** Who decided: a person, a grant, or the policy itself. */
  by: z.string(),
  requestId: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListInputSchema = z.object({
  session: key.optional(),
  decision: decisionSchema.optional(),
  /** Only what came after this cursor, oldest first; without it the newest ones. */
  after: count.optional(),
  limit: z.int().positive().max(1_000).default(100),
});
export const auditListOutputSchema = z.object({
  /** Oldest first. */
  entries: z.array(auditEntrySchema),
  cursor: count,
});
