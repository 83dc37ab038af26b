// Finding lines in what a process wrote.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";

const count = z.int().nonnegative();

export const mostMatches = 500;

export const searchInputSchema = z.object({
  id: processReferenceSchema,
  /** RE2 syntax: linear time. Found anywhere in a line, without its escapes. */
  regex: z.string().min(1).max(1_000),
  /** Lines that begin at this offset or later. */
  from: count.default(0),
  limit: z.int().positive().max(mostMatches).default(50),
  /** Lines told before and after each match. */
  context: z.int().min(0).max(20).default(0),
  stream: z.enum(["both", "stdout", "stderr"]).default("both"),
  /** Answers after this time with what was found so far, and where to go on; not with context. Default: all is looked at. */
  timeMs: z.int().min(50).max(10_000).optional(),
});
export type SearchInput = z.infer<typeof searchInputSchema>;

export const searchMatchSchema = z.object({
  /** Where the line begins. One of more than 64 KiB is looked at in pieces of that size. */
  offset: count,
  /** Where what matches begins in it, in the output as it was written. */
  matchOffset: count,
  /** When its first bytes were written. */
  at: z.iso.datetime(),
  line: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});
export type SearchMatch = z.infer<typeof searchMatchSchema>;

export const searchOutputSchema = z.object({
  id: z.string(),
  matches: z.array(searchMatchSchema),
  /** Offset to go on from; null when all that is kept was looked at. */
  next: count.nullable(),
  /** Parts that could not be looked at. */
  omitted: z.array(z.object({ from: count, to: count, why: z.enum(["dropped", "gap"]) })),
});
export type SearchOutput = z.infer<typeof searchOutputSchema>;
