// Notices: what somebody asked to hear, or may want to know. A row of the outbox, committed with the change it reports.
import { z } from "zod";
import { noticeIdSchema } from "./ids.ts";
import { ownerSchema, processViewSchema } from "./process.ts";

const count = z.int().nonnegative();
const time = z.iso.datetime();

export const noticeKinds = [
  "process.ended",
  "process.progress",
  "process.ready",
  "process.waits-for-input",
  "process.limit-reached",
  "watch.matched",
  "watch.disabled",
  "watch.gap",
  "breaker.tripped",
  "breaker.released",
  "delegation.finished",
  "approval.wanted",
  "approval.answered",
] as const;
export const noticeKindSchema = z.enum(noticeKinds);
export type NoticeKind = z.infer<typeof noticeKindSchema>;

/**
 * recorded: nobody asked to hear it; listed, never pushed, not owed. pending: owed. seen: its session learned it in
 * another way (a wait, a full read, a stop), so it is not pushed. acknowledged: a consumer has taken care of it.
 */
export const noticeStateSchema = z.enum(["recorded", "pending", "seen", "acknowledged"]);
export type NoticeState = z.infer<typeof noticeStateSchema>;

export const noticeSchema = z.object({
  /** Stable: the same happening has the same id, however often it is delivered. */
  id: z.string(),
  cursor: count,
  kind: noticeKindSchema,
  at: time,
  state: noticeStateSchema,
  processId: z.string().nullable(),
  /** Where it is routed. */
  owner: ownerSchema,
  /** Its session has looked at the process since; sinks push it all the same. */
  observed: z.boolean(),
  /** How often it was handed to a consumer. */
  attempts: count,
  acknowledgedBy: z.string().nullable(),
  /** What happened, for programs; depends on the kind. */
  data: z.record(z.string(), z.unknown()),
  /** The process as it is now, while it is kept. */
  process: processViewSchema.nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** With the text for models and people: short, self-contained, redacted. */
export const noticeWithTextSchema = noticeSchema.extend({ text: z.string() });
export type NoticeWithText = z.infer<typeof noticeWithTextSchema>;

/** Somebody took care of it, or it is owed again. */
export type NoticeChange = Pick<Notice, "id" | "state" | "acknowledgedBy">;

export const noticeFilterSchema = z.object({
  session: z.string().optional(),
  task: z.string().optional(),
  profile: z.string().optional(),
  process: z.string().optional(),
  kinds: z.array(noticeKindSchema).optional(),
});
export type NoticeFilter = z.infer<typeof noticeFilterSchema>;

export const noticeListInputSchema = noticeFilterSchema.extend({
  states: z.array(noticeStateSchema).optional(),
  /** Only what is owed, without the ends the caller's own session has looked at. */
  unread: z.boolean().default(false),
  after: count.default(0),
  limit: z.int().positive().max(1_000).default(100),
});
export const noticeListOutputSchema = z.object({
  notices: z.array(noticeWithTextSchema),
  /** To go on from. */
  cursor: count,
  /** Of the newest notice there is, within the filter or not. */
  newest: count,
  /** Owed and not yet taken care of, within the filter. */
  pending: count,
});

export const noticeGetInputSchema = z.object({ notice: noticeIdSchema });

export const noticeClaimInputSchema = noticeFilterSchema.extend({
  /** Who takes it: the same name in claim, acknowledge and release. */
  consumer: z.string().min(1).max(256),
  limit: z.int().positive().max(100).default(10),
  /** After this it may be given to somebody else. */
  leaseMs: z.int().min(100).max(3_600_000).default(60_000),
  /** Waits so long for the first one; 0: answers at once. */
  waitMs: z.int().min(0).max(600_000).default(0),
});
export const noticeClaimOutputSchema = z.object({ notices: z.array(noticeWithTextSchema) });

export const noticeAcknowledgeInputSchema = z.object({
  notices: z.array(noticeIdSchema).min(1).max(1_000),
  /** Of the claim; without it, whoever asks acknowledges by hand. */
  consumer: z.string().min(1).max(256).optional(),
});
/** already: acknowledged before, by this consumer or another. lost: the lease ran out and another consumer has it. */
export const noticeSettlementSchema = z.object({
  id: z.string(),
  outcome: z.enum(["done", "already", "lost", "not_found"]),
});
export const noticeSettlementsSchema = z.object({ results: z.array(noticeSettlementSchema) });

export const noticeReleaseInputSchema = z.object({
  notices: z.array(noticeIdSchema).min(1).max(1_000),
  consumer: z.string().min(1).max(256),
});

export const noticeReplayInputSchema = z.object({ notice: noticeIdSchema });
export const noticeReplayOutputSchema = z.object({ deliveries: count });

export const noticeDeadInputSchema = z.object({ limit: z.int().positive().max(1_000).default(100) });
export const noticeDeadOutputSchema = z.object({
  deliveries: z.array(
    z.object({
      sink: z.string(),
      state: z.enum(["dead", "needs_person"]),
      attempts: count,
      lastError: z.string().nullable(),
      at: time,
      notice: noticeWithTextSchema,
    }),
  ),
  /** Turned off, because their receiver wants nothing any more. */
  sinks: z.array(
    z.object({ name: z.string(), state: z.enum(["enabled", "disabled"]), reason: z.string().nullable() }),
  ),
});
