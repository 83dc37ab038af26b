// What may be watched for on a process, and what is told about it.
import { z } from "zod";
import { processReferenceSchema, watchIdSchema } from "./ids.ts";
import { listenerShape } from "./listener.ts";
import { timerMsSchema } from "./timer.ts";

const count = z.int().nonnegative();
const ms = timerMsSchema;
const stream = z.enum(["stdout", "stderr", "both"]).default("both");

/** Where it begins to look: an offset of the output, its beginning, or what comes from now on. */
const from = z.union([count, z.enum(["start", "now"])]).default("now");

export const watchSpecSchema = z.discriminatedUnion("kind", [
  /** A line that contains the text. */
  z.object({ kind: z.literal("text"), text: z.string().min(1).max(1_000), stream, from }),
  /** A line in which the pattern (RE2) is found. */
  z.object({ kind: z.literal("regex"), regex: z.string().min(1).max(1_000), stream, from }),
  /** Nothing written for so long; told once for each silence. */
  z.object({ kind: z.literal("silence"), ms }),
  /** More lines or bytes within a time than so many. */
  z.object({
    kind: z.literal("rate"),
    unit: z.enum(["lines", "bytes"]).default("lines"),
    most: z.int().positive(),
    perMs: ms.default(1_000),
  }),
  /** It waits for somebody to type. */
  z.object({ kind: z.literal("input") }),
  /** It ends with one of these codes; 128 + signal for one that was killed. */
  z.object({ kind: z.literal("exit"), codes: z.array(z.int().min(0).max(255)).min(1).max(256) }),
  /** It is ready: a port accepts connections, or an address answers. */
  z.object({ kind: z.literal("port"), ...listenerShape }),
  z.object({
    kind: z.literal("http"),
    url: z.url({ protocol: /^https?$/ }),
    status: z.int().min(100).max(599).optional(),
  }),
]);
export type WatchSpec = z.infer<typeof watchSpecSchema>;
export type WatchKind = WatchSpec["kind"];

export const watchesSchema = z.array(watchSpecSchema).max(100);

export const watchViewSchema = z.object({
  id: z.string(),
  processId: z.string(),
  spec: watchSpecSchema,
  state: z.enum(["active", "ended"]),
  createdAt: z.iso.datetime(),
  /** How often it was true, pushed or not. */
  hits: count,
  lastHitAt: z.iso.datetime().nullable(),
  lastHitOffset: count.nullable(),
  /** Output before this was looked at; null for what does not look at output. */
  scannedTo: count.nullable(),
  /** Pushing was turned off for this process after too many matches. */
  pushOff: z.boolean(),
});
export type WatchView = z.infer<typeof watchViewSchema>;

export const watchAddInputSchema = z.object({ id: processReferenceSchema, watch: watchSpecSchema });
export const watchListInputSchema = z.object({ id: processReferenceSchema });
export const watchListOutputSchema = z.object({ watches: z.array(watchViewSchema) });
export const watchRemoveInputSchema = z.object({ watch: watchIdSchema });
export const watchRemoveOutputSchema = z.object({ removed: z.boolean() });

/** Matches of one watch, found again in the output that is kept. */
export const watchHitsInputSchema = z.object({
  watch: watchIdSchema,
  /** Absolute offset; only matches in lines that begin there or later. */
  from: count.default(0),
  limit: z.int().positive().max(1_000).default(100),
});
export const watchHitSchema = z.object({
  offset: count,
  line: z.string(),
  stream: z.enum(["stdout", "stderr"]),
});
export const watchHitsOutputSchema = z.object({
  hits: z.array(watchHitSchema),
  /** To go on from; null when the end was reached. */
  next: count.nullable(),
  /** Ranges that left the log, or could not be read, before they were looked at. */
  gaps: z.array(z.object({ from: count, to: count })),
  /**
   * How often it was true in each part of the output, from the part with the offset asked for on, at most 1,000: also where the output
   * itself is no longer kept. Parts without a match are left out.
   */
  counts: z.array(z.object({ from: count, to: count, hits: count })),
});
