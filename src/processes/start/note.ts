// What a run directory remembers of the policy around its process, so that a lost store can be rebuilt from directories alone.
import { z } from "zod";
import {
  labelsSchema,
  lifetimeSchema,
  limitsSchema,
  notifySchema,
  processKindSchema,
  processModeSchema,
  startInputSchema,
} from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";

const noteSchema = z.object({
  version: z.literal(1),
  name: z.string().nullable(),
  command: z.string(),
  mode: processModeSchema,
  session: z.string().nullable(),
  task: z.string().nullable(),
  profile: z.string(),
  origin: z.record(z.string(), z.unknown()).nullable(),
  labels: labelsSchema,
  lifetime: lifetimeSchema,
  limits: limitsSchema,
  // Notes of the first release have none of these.
  kind: processKindSchema.default("process"),
  notify: notifySchema.default("off"),
  watches: startInputSchema.shape.watches,
  progress: startInputSchema.shape.progress,
  confine: startInputSchema.shape.confine,
  idempotencyKey: z.string().nullable(),
  createdAt: z.int(),
});
export type ProcessNote = z.infer<typeof noteSchema>;

export function makeNote(record: ProcessRecord): string {
  const { name, command, mode, session, task, profile, origin, labels, lifetime, idempotencyKey, createdAt } =
    record;
  const { limits, watches, progress, confine } = record.spec;
  const note: ProcessNote = {
    version: 1,
    name,
    command,
    mode,
    session,
    task,
    profile,
    origin,
    labels,
    lifetime,
    limits,
    kind: record.kind,
    notify: record.notify,
    watches,
    progress,
    confine,
    idempotencyKey,
    createdAt,
  };
  return JSON.stringify(note);
}

/** Undefined for a run that something else than a daemon started. */
export function readNote(text: string | undefined): ProcessNote | undefined {
  if (text === undefined) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: somebody else's note
  }
}
