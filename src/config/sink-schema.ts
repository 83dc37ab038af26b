// The shape of a sink: somewhere notices are pushed to.
import { z } from "zod";
import { noticeKindSchema } from "../protocol/notices.ts";
import { nameSchema } from "../protocol/process.ts";

/** Where notices are pushed to; all conditions of a filter hold. */
const sinkFilter = {
  session: z.string().min(1).optional(),
  profile: z.string().min(1).optional(),
  /** The name of a process. */
  process: nameSchema.optional(),
  kinds: z.array(noticeKindSchema).optional(),
  /** Pauses before each further attempt; after the last the delivery is dead. */
  scheduleMs: z.array(z.int().nonnegative().max(604_800_000)).max(50).optional(),
};
const absolutePath = z.string().regex(/^\//, "an absolute path");
const sinkSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("webhook"),
    url: z.url({ protocol: /^https?$/ }),
    /** Files with one secret each (whsec_…), readable by you alone; two while a secret is rotated. */
    secretFiles: z.array(absolutePath).min(1).max(4),
    timeoutMs: z.int().min(100).max(120_000).default(15_000),
    /** Hosts that may have an address inside this machine or its networks. */
    allowHosts: z.array(z.string().min(1)).default([]),
    /** Does its answer settle a notice for everybody who could claim it? */
    acknowledge: z.boolean().default(false),
    ...sinkFilter,
  }),
  z.strictObject({
    kind: z.literal("command"),
    command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    cwd: absolutePath.optional(),
    input: z.enum(["text", "json"]).default("text"),
    limitMs: z.int().min(1_000).max(86_400_000).default(3_600_000),
    gatherMs: z.int().min(0).max(60_000).default(100),
    mostResumptions: z.int().min(1).max(10_000).default(12),
    acknowledge: z.boolean().default(true),
    ...sinkFilter,
  }),
]);
export const sinksSchema = z
  .record(nameSchema, sinkSchema)
  .refine((sinks) => !("desktop" in sinks), "desktop is the name of the sink that is always there");
