// The daemon about itself: status, configuration, housekeeping.
import { z } from "zod";
import { longestTimerMs } from "./timer.ts";

const count = z.int().nonnegative();
const empty = z.object({});

/** A process for readers in other containers too: a pid means something only in its own PID namespace. */
export const sharedIdentitySchema = z.object({
  pid: z.int().positive(),
  startTime: count,
  bootId: z.string(),
  pidNamespace: z.string(),
});

/** HOME/daemon.json: who has the lock of this home, for people and tools. */
export const daemonRecordSchema = sharedIdentitySchema.extend({
  argv: z.array(z.string()),
  home: z.string(),
  version: z.string(),
  /** A program with a daemon inside: ending the process would end that program. */
  isEmbedded: z.boolean().default(false),
});
export type DaemonRecord = z.infer<typeof daemonRecordSchema>;

export const daemonStateSchema = z.enum(["starting", "running", "degraded", "draining", "stopped", "failed"]);
export type DaemonState = z.infer<typeof daemonStateSchema>;

/** Who starts the daemon again when it goes; name: the unit, the label, or the container engine. */
export const supervisorSchema = z.object({
  kind: z.enum(["systemd", "launchd", "container", "none"]),
  name: z.string().nullable(),
});
export type Supervisor = z.infer<typeof supervisorSchema>;

export const listenerStatusSchema = z.object({
  name: z.string(),
  address: z.string(),
  state: z.enum(["listening", "failed", "closed"]),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
  at: z.iso.datetime(),
});
export type ListenerStatus = z.infer<typeof listenerStatusSchema>;

/**
 * How the daemon before this one went. left: it said why. killed: by a signal nobody can answer, or for want of memory. rebooted: the
 * machine was, or the home was moved from another. unknown: killed or rebooted.
 */
export const previousEndSchema = z.object({
  how: z.enum(["left", "killed", "rebooted", "unknown"]),
  /** As it said itself; null when it did not. */
  reason: z.string().nullable(),
  pid: z.int(),
  version: z.string(),
  startedAt: z.iso.datetime().nullable(),
  /** Its last sign of life in the files of the home. */
  lastSeenAt: z.iso.datetime().nullable(),
});
export type PreviousEnd = z.infer<typeof previousEndSchema>;

/** HOME/daemon-status.json: how the daemon is, or was when it last wrote. */
export const runtimeStatusSchema = z.object({
  writer: sharedIdentitySchema,
  version: z.string(),
  supervisor: supervisorSchema,
  state: daemonStateSchema,
  /** Why it went, in a word or a sentence; null while it is there. */
  exitReason: z.string().nullable(),
  restartRequested: z.boolean(),
  active: z.object({ processes: count }),
  listeners: z.array(listenerStatusSchema),
  startedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Null: none is known. */
  previousEnd: previousEndSchema.nullable().default(null),
});
export type RuntimeStatus = z.infer<typeof runtimeStatusSchema>;

export const daemonStatusInputSchema = empty;
export const daemonStatusSchema = z.object({
  state: daemonStateSchema,
  pid: z.int(),
  version: z.string(),
  home: z.string(),
  startedAt: z.iso.datetime(),
  running: count,
  processes: count,
  launcherPid: z.int().nullable(),
  supervisor: supervisorSchema,
  listeners: z.array(listenerStatusSchema),
  /** Why it is degraded, in words. */
  problems: z.array(z.string()),
  previousEnd: previousEndSchema.nullable(),
  /** What is owed, and deliveries that were given up or wait for a person. */
  notices: z.object({ pending: count, dead: count, needsPerson: count }),
});
export type DaemonStatus = z.infer<typeof daemonStatusSchema>;

// Node fires a timer of more than 2^31 - 1 ms at once.

export const daemonStopInputSchema = z.object({
  /** How long open waits may go on before it goes; default: daemon.drainMs. */
  drainMs: count.max(longestTimerMs).optional(),
  /** It comes back: its service manager starts it again, or it starts itself anew. */
  restart: z.boolean().default(false),
});
export const daemonStopOutputSchema = z.object({ stopping: z.literal(true), pid: z.int() });

export const daemonIdleInputSchema = empty;
export const daemonIdleOutputSchema = z.object({
  /** Nothing of this home runs, waits or is to be delivered. */
  idle: z.boolean(),
  /** Null: it could not be told, which counts as busy. */
  sources: z.array(z.object({ name: z.string(), count: count.nullable() })),
});

export const configKeySchema = z
  .string()
  .regex(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)*$/, "a key like output.tailBytes");
export const configValueSchema = z.object({
  key: z.string(),
  value: z.unknown(),
  /** environment, project, home or default; and the place: a file with its line, or a variable. */
  source: z.enum(["environment", "project", "home", "default"]),
  place: z.string(),
  default: z.unknown(),
  description: z.string(),
  variable: z.string(),
  needsRestart: z.boolean(),
});
export type ConfigValue = z.infer<typeof configValueSchema>;

/** As it is for what is started here: with the file of the project it lies in. Without it: the home's configuration. */
const inDirectory = { directory: z.string().regex(/^\//, "an absolute path").optional() };
export const configGetInputSchema = z.object({ key: configKeySchema, ...inDirectory });
export const configSetInputSchema = z.object({
  key: configKeySchema,
  /** Null takes the key out of the home's file. */
  value: z.unknown(),
});
export const configListInputSchema = z.object(inDirectory);
export const configListOutputSchema = z.object({ values: z.array(configValueSchema) });
export const configExplainInputSchema = z.object({ key: configKeySchema, ...inDirectory });
export const configExplainOutputSchema = configValueSchema.extend({
  /** Every source that gives a value, strongest first. */
  candidates: z.array(configValueSchema.pick({ value: true, source: true, place: true })),
});
export const configCheckInputSchema = z.object(inDirectory);
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
