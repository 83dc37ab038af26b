// The daemon about itself: status, configuration, housekeeping.
import { z } from "zod";

const count = z.int().nonnegative();
const empty = z.object({});

export const daemonStatusInputSchema = empty;
export const daemonStatusSchema = z.object({
  state: z.enum(["starting", "running", "degraded", "draining", "stopped", "failed"]),
  pid: z.int(),
  version: z.string(),
  home: z.string(),
  startedAt: z.iso.datetime(),
  running: count,
  processes: count,
  launcherPid: z.int().nullable(),
  /** Why it is degraded, in words. */
  problems: z.array(z.string()),
});
export type DaemonStatus = z.infer<typeof daemonStatusSchema>;

export const daemonStopInputSchema = empty;
export const daemonStopOutputSchema = z.object({ stopping: z.literal(true), pid: z.int() });

export const configKeySchema = z
  .string()
  .regex(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)*$/, "a key like output.tailBytes");
export const configValueSchema = z.object({
  key: z.string(),
  value: z.unknown(),
  /** flag, environment, project, home or default; and the place: a file with its line, or a variable. */
  source: z.enum(["flag", "environment", "project", "home", "default"]),
  place: z.string(),
  default: z.unknown(),
  description: z.string(),
  variable: z.string(),
  needsRestart: z.boolean(),
});
export type ConfigValue = z.infer<typeof configValueSchema>;

export const configGetInputSchema = z.object({ key: configKeySchema });
export const configSetInputSchema = z.object({
  key: configKeySchema,
  /** Null takes the key out of the home's file. */
  value: z.unknown(),
});
export const configListInputSchema = empty;
export const configListOutputSchema = z.object({ values: z.array(configValueSchema) });
export const configExplainInputSchema = z.object({ key: configKeySchema });
export const configExplainOutputSchema = configValueSchema.extend({
  /** Every source that gives a value, strongest first. */
  candidates: z.array(configValueSchema.pick({ value: true, source: true, place: true })),
});
export const configCheckInputSchema = empty;
export const configCheckOutputSchema = z.object({
  valid: z.boolean(),
  files: z.array(z.string()),
  problems: z.array(
    z.object({ file: z.string(), line: z.int().nullable(), key: z.string(), message: z.string() }),
  ),
});

export const gcInputSchema = z.object({ dryRun: z.boolean().default(false) });
export const gcOutputSchema = z.object({
  removed: z.array(z.string()),
  /** Records that stay because somebody has not read their notice; their output went. */
  outputRemoved: z.array(z.string()),
  freedBytes: count,
});

export const doctorInputSchema = empty;
export const doctorOutputSchema = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      result: z.enum(["ok", "warning", "problem"]),
      message: z.string(),
      hint: z.string().optional(),
    }),
  ),
});
