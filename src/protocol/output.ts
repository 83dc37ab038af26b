// Reading what a process wrote.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";
import { processStateSchema } from "./process.ts";

const count = z.int().nonnegative();
const positive = z.int().positive();

/** No answer carries more than this; ask again from `next`. */
export const mostOutputBytes = 1_048_576;
export const defaultOutputBytes = 65_536;

interface OutputPlace {
  readonly line?: number | undefined;
  readonly tailLines?: number | undefined;
  readonly tailBytes?: number | undefined;
  readonly before?: number | undefined;
  readonly limitLines?: number | undefined;
  readonly pieces?: boolean | undefined;
  readonly format?: string | undefined;
}

/** What was asked for that makes no sense with head and tail. */
function besideHeadAndTail(input: OutputPlace): string[] {
  const { line, tailLines, tailBytes, before, limitLines } = input;
  const places = Object.entries({ line, tailLines, tailBytes, before, limitLines });
  return [
    ...places.filter(([, value]) => value !== undefined).map(([name]) => name),
    ...(input.pieces === true ? ["pieces"] : []),
    ...(input.format === "raw" ? ["format raw"] : []),
  ];
}

export const outputInputSchema = z
  .object({
    id: processReferenceSchema,
    /** Absolute byte offset to begin at; without any place: the beginning of what is kept. */
    from: count.optional(),
    /** Line to begin at; the first is 1. */
    line: positive.optional(),
    /** The last so many lines, or bytes. */
    tailLines: positive.max(100_000).optional(),
    tailBytes: positive.optional(),
    /** Only what comes before this offset: paging backwards. */
    before: count.optional(),
    /** A character or an escape is never split: what is unfinished waits for the next read, and a first one that is longer comes whole. */
    limitBytes: positive.max(mostOutputBytes).default(defaultOutputBytes),
    limitLines: positive.optional(),
    stream: z.enum(["both", "stdout", "stderr"]).default("both"),
    /** plain: escapes stripped, redraws collapsed. text: as written, invalid UTF-8 replaced. raw: base64. */
    format: z.enum(["plain", "text", "raw"]).default("plain"),
    /** Pieces with time and stream instead of one text. */
    pieces: z.boolean().default(false),
    /** Take secrets out; always so for a caller with a session. In raw output each byte of one becomes a star, so that offsets stay. */
    redact: z.boolean().default(false),
    /** Head and tail of a long output, with the middle left out; bytes. Instead of the other limits, and for text. */
    head: positive.max(mostOutputBytes).optional(),
    tail: positive.max(mostOutputBytes).optional(),
  })
  .refine(
    (input) =>
      [input.from, input.line, input.tailLines, input.tailBytes].filter((at) => at !== undefined).length <= 1,
    {
      error: "give one of from, line, tailLines, tailBytes",
    },
  )
  .refine((input) => (input.head === undefined) === (input.tail === undefined), {
    error: "head and tail go together",
  })
  .refine(({ head = 0, tail = 0 }) => head + tail <= mostOutputBytes, {
    error: `head and tail are at most ${mostOutputBytes} bytes together`,
  })
  .refine((input) => input.head === undefined || besideHeadAndTail(input).length === 0, {
    error: ({ input }) =>
      `head and tail cannot be combined with ${besideHeadAndTail(input as OutputPlace).join(", ")}`,
  });
export type OutputInput = z.infer<typeof outputInputSchema>;

export const outputPieceSchema = z.object({
  offset: count,
  /** When it was written. */
  at: z.iso.datetime(),
  stream: z.enum(["stdout", "stderr"]),
  text: z.string(),
});
export type OutputPiece = z.infer<typeof outputPieceSchema>;

export const outputOutputSchema = z.object({
  id: z.string(),
  state: processStateSchema,
  /** Present unless pieces were asked for; base64 when the format is raw. */
  text: z.string().optional(),
  pieces: z.array(outputPieceSchema).optional(),
  /** Offset of the first byte told, and of the first one not told: the cursor to go on with. */
  from: count,
  next: count,
  /** Offset of the end of output now. */
  end: count,
  /** Nothing can come after `next`: the process and all it left behind have ended, and all of it was told. */
  complete: z.boolean(),
  /** What of the whole output can be read now, by offset: the rest was dropped, or a full disk did not take it. */
  kept: z.array(z.object({ from: count, to: count })),
  /** Parts inside [from, next) that are not in the answer. */
  omitted: z.array(z.object({ from: count, to: count, why: z.enum(["middle", "dropped", "gap"]) })),
});
export type OutputOutput = z.infer<typeof outputOutputSchema>;
