// Terminals: shells that people open by a key, the screens of processes, and who looks at them.
import { z } from "zod";
import { processReferenceSchema } from "./ids.ts";
import { processViewSchema } from "./process.ts";
import { mostColumns, mostRows } from "./terminal-size.ts";

const count = z.int().nonnegative();
const time = z.iso.datetime();

/** Any number: clamped, never refused. Missing or 0: the size in force, or 80 × 24. */
const wantedSize = { columns: z.number().optional(), rows: z.number().optional() };
const columns = z.int().min(1).max(mostColumns);
const rows = z.int().min(1).max(mostRows);
/** The size in force. */
const sizeInForce = { columns, rows };

export const resizeInputSchema = z.object({ id: processReferenceSchema, ...wantedSize });
export const resizeOutputSchema = z.object({ id: z.string(), ...sizeInForce });

const keySchema = z.string().min(1).max(255);

export const terminalOpenInputSchema = z.object({
  /** One living terminal for one key. */
  key: keySchema,
  /** `~` and `~/…` are the user's directory; default: that one. Must be a directory. */
  cwd: z.string().min(1).optional(),
  ...wantedSize,
  /** End the one that has the key first, also in the same directory. */
  restart: z.boolean().default(false),
  /** Default: the user's own. */
  shell: z.string().min(1).optional(),
});

export const terminalOpenOutputSchema = z.object({
  process: processViewSchema,
  /** It was there, in the same directory. */
  reused: z.boolean(),
  ...sizeInForce,
  /** The one that had the key and was ended for this one. */
  replaced: z.string().optional(),
});

export const terminalListInputSchema = z.object({
  /** Also those that have ended. */
  ended: z.boolean().default(false),
});
export const terminalListOutputSchema = z.object({
  terminals: z.array(
    z.object({
      key: z.string(),
      process: processViewSchema,
      /** How many look at it now. */
      viewers: count,
    }),
  ),
  /** How many may be open at once. */
  limit: count,
});

export const viewerSchema = z.object({
  id: z.string(),
  /** As the viewer calls itself. */
  name: z.string(),
  since: time,
  /** Of the viewer's own window. */
  ...sizeInForce,
});
export type Viewer = z.infer<typeof viewerSchema>;

export const viewListInputSchema = z.object({ id: processReferenceSchema.optional() });
export const viewListOutputSchema = z.object({
  views: z.array(
    viewerSchema.extend({
      process: z.string(),
      /** This one types, and gives the terminal its size. */
      keyboard: z.boolean(),
    }),
  ),
});

export const viewCloseInputSchema = z.object({ id: processReferenceSchema });
export const viewCloseOutputSchema = z.object({ id: z.string(), closed: count });

export const screenInputSchema = z.object({
  id: processReferenceSchema,
  /** `version` of an earlier answer: which lines look different since then is told. */
  since: z.string().max(64).optional(),
});

export const screenOutputSchema = z.object({
  id: z.string(),
  /** Of the screen, from the top, without colours; empty ones at the end are left out. */
  lines: z.array(z.string()),
  ...sizeInForce,
  /** Both count from 1. */
  cursor: z.object({ line: count, column: count, isVisible: z.boolean() }),
  /** A full-screen program has switched to the alternate screen. */
  isAlternate: z.boolean(),
  /** As the program set it. */
  title: z.string(),
  /** How the program wants its input. */
  modes: z.object({
    bracketedPaste: z.boolean(),
    applicationCursor: z.boolean(),
    mouse: z.enum(["none", "x10", "vt200", "drag", "any"]),
  }),
  /** Everything written before this offset is on it. */
  offset: count,
  /** Names this screen, for `since`. */
  version: z.string(),
  /** Lines, from 1, that look different than in `since`; missing when that one is not known any more. */
  changedLines: z.array(count).optional(),
  /** Output that was not kept and so is not drawn. */
  missing: z.object({ from: count, to: count }).optional(),
});
export type ScreenOutput = z.infer<typeof screenOutputSchema>;
