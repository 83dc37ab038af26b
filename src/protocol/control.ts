// Acting on processes that are there: input, size, signals, ends, names.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";
import { labelsSchema, nameSchema, processStateSchema, processViewSchema } from "./process.ts";

const count = z.int().nonnegative();
const reference = { id: processReferenceSchema };

export const getInputSchema = z.object(reference);

/** Which processes: all conditions hold. Nothing given: every process. */
export const selectorSchema = z.object({
  session: z.string().optional(),
  task: z.string().optional(),
  profile: z.string().optional(),
  labels: labelsSchema.optional(),
});

export const listInputSchema = selectorSchema.extend({
  states: z.array(processStateSchema).optional(),
  /** Newest first; at most so many. */
  limit: z.int().positive().max(10_000).default(1_000),
  /** Also look at the processes themselves: CPU, memory, last line. */
  details: z.boolean().default(false),
});
export type ListInput = z.infer<typeof listInputSchema>;

export const listedProcessSchema = processViewSchema.extend({
  cpuMs: count.optional(),
  memoryBytes: count.optional(),
  lastLine: z.string().optional(),
});
export type ListedProcess = z.infer<typeof listedProcessSchema>;
export const listOutputSchema = z.object({
  processes: z.array(listedProcessSchema),
  running: count,
  /** Every later change is an event after this one: a reader that follows from here misses nothing. */
  cursor: count,
});

/** Several parts are typed one after the other. */
export const inputPartSchema = z.union([
  z.object({ text: z.string() }),
  z.object({ base64: z.base64() }),
  /** By name: enter, up, ctrl-c, escape, f5, alt-x … */
  z.object({ key: z.string().min(1) }),
  /** Bracketed when the program asked for that. */
  z.object({ paste: z.string() }),
]);
export type InputPart = z.infer<typeof inputPartSchema>;

export const writeInputSchema = z.object({
  ...reference,
  parts: z.array(inputPartSchema).min(1),
  /** With a sequence that counts its own bytes: a retry is not typed twice. */
  writer: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), sequence: count }).optional(),
  /** Refused while the terminal would show it, unless forced. */
  secret: z.boolean().default(false),
  force: z.boolean().default(false),
});
export type WriteInput = z.infer<typeof writeInputSchema>;
/** bytes: how many were typed; next: the writer's next sequence. */
export const writeOutputSchema = z.object({ id: z.string(), bytes: count, next: count });

export const signalInputSchema = z.object({
  ...reference,
  /** SIGINT, INT or 2. */
  signal: z.union([z.string().min(1), z.int().min(1).max(64)]),
  target: z.enum(["foreground", "child", "tree"]).default("child"),
});
export const signalOutputSchema = z.object({ id: z.string(), signal: z.string(), reached: count });

export const stopInputSchema = selectorSchema.extend({
  ids: z.array(processReferenceSchema).optional(),
  /** Every living process of the home. */
  all: z.boolean().default(false),
  graceMs: count.max(600_000).optional(),
  /** Only ask; do not kill after the grace. */
  noKill: z.boolean().default(false),
});
export type StopInput = z.infer<typeof stopInputSchema>;

export const errorBodySchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  details: z.record(z.string(), z.unknown()),
  requestId: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

export const stopResultSchema = z.object({
  id: z.string(),
  outcome: z.enum(["already_ended", "ended", "killed", "still_running", "failed"]),
  /** Which processes had to be killed. */
  killedPids: z.array(z.int()),
  killed: count,
  left: count,
  process: processViewSchema.optional(),
  error: errorBodySchema.omit({ requestId: true }).optional(),
});
export type StopResult = z.infer<typeof stopResultSchema>;
export const stopOutputSchema = z.object({ results: z.array(stopResultSchema), stopped: count });

export const removeInputSchema = z.object({
  ids: z.array(processReferenceSchema).min(1),
  /** Stop it first if it still runs. */
  force: z.boolean().default(false),
});
export const removeOutputSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      removed: z.boolean(),
      error: errorBodySchema.omit({ requestId: true }).optional(),
    }),
  ),
});

export const renameInputSchema = z.object({ ...reference, name: nameSchema.nullable() });

export const activeInputSchema = selectorSchema.extend({
  /** Processes older than this do not count: something forgotten must not hold a session open for ever. */
  youngerThanMs: z.int().positive().optional(),
});
export const activeOutputSchema = z.object({ active: z.boolean(), ids: z.array(z.string()), running: count });

export const interruptInputSchema = z.object({ session: z.string().min(1) });
export const interruptOutputSchema = z.object({ interrupted: count });
