// What sessions may do with processes that are not theirs, and how far each has looked.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";

const count = z.int().nonnegative();
const key = z.string().min(1).max(256);

/** read: see it, wait for it. control: also type, signal, stop, rename, remove, watch. */
export const rightSchema = z.enum(["read", "control"]);
export type Right = z.infer<typeof rightSchema>;

export const shareSchema = z.object({
  /** Null: every session. */
  session: z.string().nullable(),
  right: rightSchema,
  by: z.string(),
  at: z.iso.datetime(),
});
export type Share = z.infer<typeof shareSchema>;

export const shareInputSchema = z.object({
  id: processReferenceSchema,
  /** With whom; default: every session. */
  session: key.optional(),
  /** none: no longer. */
  right: z.enum(["none", "read", "control"]).default("read"),
});
export const shareOutputSchema = z.object({ id: z.string(), shares: z.array(shareSchema) });

const looked = {
  id: processReferenceSchema,
  /** Whose; default: the caller's own. */
  session: key.optional(),
};
export const cursorGetInputSchema = z.object(looked);
export const cursorSetInputSchema = z.object({
  ...looked,
  offset: count.optional(),
  /** Of each line of the screen, in any form: to tell which have changed. */
  screen: z.array(z.string().max(64)).max(1_000).nullable().optional(),
});
export const cursorOutputSchema = z.object({
  id: z.string(),
  session: z.string(),
  /** Everything before was told; 0: nothing yet. */
  offset: count,
  screen: z.array(z.string()).nullable(),
});
