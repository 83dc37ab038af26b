// Delegations: work that somebody else does, registered so that its end is told like that of a process.
import { z } from "zod";
import { delegationIdSchema } from "./ids.ts";
import { ownerSchema } from "./process.ts";

const count = z.int().nonnegative();
const text = z.string().max(100_000);

export const delegationItemStatusSchema = z.enum(["running", "completed", "failed", "interrupted"]);

export const delegationItemSchema = z.object({
  index: count,
  goal: text,
  status: delegationItemStatusSchema.default("running"),
  /** What came of it; of an interrupted one, as far as it got. */
  summary: text.optional(),
  error: text.optional(),
  durationMs: count.optional(),
  apiCalls: count.optional(),
});
export type DelegationItem = z.infer<typeof delegationItemSchema>;

export const delegationStartInputSchema = z.object({
  goal: text.min(1),
  context: text.optional(),
  toolsets: z.array(z.string().max(256)).max(256).default([]),
  role: z.string().max(256).optional(),
  model: z.string().max(256).optional(),
  /** The goals of a batch; without them it is one task. */
  items: z.array(text.min(1)).min(1).max(1_000).optional(),
  owner: ownerSchema.prefault({}),
  /** Whoever does the work: when this process is gone, the delegation ends as lost. */
  pid: z.int().positive().optional(),
});

export const delegationViewSchema = z.object({
  id: z.string(),
  state: z.enum(["running", "finished", "cancelled", "lost"]),
  goal: z.string(),
  context: z.string().optional(),
  toolsets: z.array(z.string()),
  role: z.string().optional(),
  model: z.string().optional(),
  owner: ownerSchema,
  items: z.array(delegationItemSchema),
  /** Of the whole, where it failed before any result. */
  error: z.string().nullable(),
  startedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type DelegationView = z.infer<typeof delegationViewSchema>;

const itemChange = delegationItemSchema.omit({ goal: true, status: true }).extend({
  status: delegationItemStatusSchema.optional(),
});
export const delegationProgressInputSchema = z.object({
  delegation: delegationIdSchema,
  items: z.array(itemChange).min(1).max(1_000),
});
export const delegationFinishInputSchema = z.object({
  delegation: delegationIdSchema,
  items: z.array(itemChange).max(1_000).default([]),
  error: text.optional(),
});
export const delegationCancelInputSchema = z.object({
  delegation: delegationIdSchema,
  reason: text.optional(),
});
export const delegationListInputSchema = z.object({
  session: z.string().optional(),
  states: z.array(delegationViewSchema.shape.state).optional(),
  limit: z.int().positive().max(1_000).default(100),
});
export const delegationListOutputSchema = z.object({ delegations: z.array(delegationViewSchema) });
