// What happened, in order. Each stored event has a cursor; a reader that comes back with its last one misses nothing.
import { z } from "zod";
import { processViewSchema } from "./process.ts";

const count = z.int().nonnegative();

const stored = { cursor: count, at: z.iso.datetime(), processId: z.string() };

export const eventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("process.started"), ...stored, process: processViewSchema }),
  /** Any change that is neither start nor end: stopping, renamed, removed. */
  z.object({ kind: z.literal("process.changed"), ...stored, process: processViewSchema }),
  z.object({ kind: z.literal("process.ended"), ...stored, process: processViewSchema }),
  /** session: whose it was; null: nobody's. */
  z.object({ kind: z.literal("process.removed"), ...stored, session: z.string().nullable() }),
  /** Not stored and without a cursor of its own: it carries the newest stored one. */
  z.object({ kind: z.literal("process.output-grew"), ...stored, outputBytes: count }),
  /** Events up to `cursor` are no longer kept: read the list again. */
  z.object({ kind: z.literal("events.trimmed"), cursor: count, at: z.iso.datetime() }),
]);
export type Event = z.infer<typeof eventSchema>;
export type EventKind = Event["kind"];
