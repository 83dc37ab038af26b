// What a process is to its callers: how it is asked for, and what is told about it.
import { z } from "zod";
import { resourceUsageSchema, startStageSchema, stopReasonSchema } from "./exit.ts";
import { shareSchema } from "./shares.ts";
import { longestTimerMs } from "./timer.ts";
import { watchesSchema } from "./watches.ts";

export const processStateSchema = z.enum(["starting", "running", "stopping", "ended"]);
export type ProcessState = z.infer<typeof processStateSchema>;

export const lifetimeSchema = z.enum(["session", "task", "detached"]);
export type Lifetime = z.infer<typeof lifetimeSchema>;

/** job: somebody is owed how it ended. */
export const processKindSchema = z.enum(["process", "job"]);
export type ProcessKind = z.infer<typeof processKindSchema>;

/** Which ends are pushed to whoever the process belongs to. */
export const notifySchema = z.enum(["off", "end", "failure"]);
export type Notify = z.infer<typeof notifySchema>;

export const processModeSchema = z.enum(["pipe", "merged", "pty"]);
export type ProcessMode = z.infer<typeof processModeSchema>;

const key = z.string().min(1).max(256);
const count = z.int().nonnegative();
const positive = z.int().positive();
const time = z.iso.datetime();
const withoutZero = z.string().regex(/^[^\0]*$/, "no zero byte");

export const nameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
    "1-63 letters, digits, dots, dashes or underscores, beginning with a letter or digit",
  );

export const labelsSchema = z.record(z.string().min(1).max(63), z.string().max(255));

/** On whose behalf: decides who may see it, and where its notices go. */
export const ownerSchema = z.object({
  session: key.optional(),
  task: key.optional(),
  profile: key.default("default"),
  /** Anything of the caller's; carried to every notice. */
  origin: z.record(z.string(), z.unknown()).optional(),
});
export type Owner = z.infer<typeof ownerSchema>;

const resourceLimitSchema = z.object({
  soft: z.union([count, z.literal("infinity")]),
  hard: z.union([count, z.literal("infinity")]),
});

function isOrdered({ soft, hard }: z.infer<typeof resourceLimitSchema>): boolean {
  return hard === "infinity" || (soft !== "infinity" && soft <= hard);
}

// What a keeper can hold (CONTRACT.md §4.1).
export const mostLimit = 2 ** 48 - 1;
const mostGraceMs = 2 ** 32 - 1;
const limit = positive.max(mostLimit).optional();
const resourceNameSchema = z.enum([
  "core",
  "cpu",
  "data",
  "fsize",
  "nofile",
  "as",
  "stack",
  "nproc",
  "memlock",
  // Linux alone has these.
  "sigpending",
  "msgqueue",
  "rtprio",
  "nice",
]);

export const limitsSchema = z.object({
  wallMs: limit,
  idleMs: limit,
  outputBytes: limit,
  memoryBytes: limit,
  /** Of the output that is kept: the first part and the newest. */
  headBytes: count.max(mostLimit).optional(),
  tailBytes: limit,
  /** Between asking and killing, when a limit ends the process or a stop says nothing else. Default: as configured. */
  graceMs: count.max(mostGraceMs).optional(),
  /** By the names of RLIMIT_*, in lower case. */
  rlimits: z
    .partialRecord(
      resourceNameSchema,
      resourceLimitSchema.refine(isOrdered, "the soft limit is at most the hard one"),
    )
    .optional(),
});
export type Limits = z.infer<typeof limitsSchema>;

const variableName = z.string().regex(/^[^=\0]+$/);
const variables = z.record(variableName, withoutZero);

/** caller: all of it; command: without credentials; terminal: only what a terminal needs. */
export const environmentPolicySchema = z.enum(["caller", "command", "terminal"]);
export type EnvironmentPolicy = z.infer<typeof environmentPolicySchema>;

export const environmentSchema = z.object({
  /** The caller's whole environment. Without it, the login shell's is the base. */
  caller: variables.optional(),
  /** What of it the child gets; default: without credentials when the process belongs to a session or task. */
  policy: environmentPolicySchema.optional(),
  /** Names that the child gets whatever the policy withholds. */
  pass: z.array(variableName).default([]),
  set: variables.default({}),
  remove: z.array(z.string()).default([]),
  /** `set`, what `pass` names, and nothing else. */
  exact: z.boolean().default(false),
});
export type EnvironmentInput = z.infer<typeof environmentSchema>;

const confinedPath = z.string().regex(/^(?:\/|~\/|~$)/, "an absolute path, or one that begins with ~/");
/** true: it may write in its working directory, or where the configuration says; and in temporary directories. */
export const confineSchema = z.union([
  z.literal(true),
  z.strictObject({
    /** What it may write besides. */
    write: z.array(confinedPath).max(50),
  }),
]);
export type ConfineInput = z.infer<typeof confineSchema>;

export const confinementSchema = z.object({
  write: z.array(z.string()),
  hide: z.array(z.string()),
  /** Seen although they lie inside something hidden. */
  show: z.array(z.string()),
});

export const commandSchema = z.union([withoutZero.min(1), z.array(withoutZero).min(1)]);

export const startInputSchema = z.object({
  /** A string is run by a shell; a list is executed as it is. */
  command: commandSchema,
  cwd: withoutZero.min(1).optional(),
  /** Run the command, a text, in the directory and with the exported variables that this session's last one left. */
  shell: z
    .object({
      session: key,
      /** Where it runs while the session remembers no directory; `cwd` is for this command alone. */
      firstCwd: withoutZero.min(1).optional(),
    })
    .optional(),
  environment: environmentSchema.prefault({}),
  mode: processModeSchema.default("pipe"),
  /** Of a terminal: clamped, never refused. Missing or 0: as configured. */
  columns: z.number().optional(),
  rows: z.number().optional(),
  stdin: z.enum(["open", "empty"]).default("empty"),
  name: nameSchema.optional(),
  /** Start it only if a process of this name does not run with the same command. */
  ensure: z.boolean().default(false),
  /** Stop the one that has the name first. */
  replace: z.boolean().default(false),
  labels: labelsSchema.default({}),
  owner: ownerSchema.prefault({}),
  lifetime: lifetimeSchema.optional(),
  limits: limitsSchema.prefault({}),
  umask: z.int().min(0).max(0o777).optional(),
  nice: z.int().min(-20).max(19).optional(),
  /** Open files, as its caller has them; cut to what the daemon itself may give. */
  nofile: resourceLimitSchema.optional(),
  /** Linux: it and all it starts can change nothing else, and do not reach Holdfast. Default: as the configuration requires. */
  confine: confineSchema.optional(),
  kind: processKindSchema.default("process"),
  /** Default: off, and end for a job. */
  notify: notifySchema.optional(),
  /** A short notice that it still runs, so often. */
  progress: z.object({ everyMs: z.int().min(1_000).max(longestTimerMs) }).optional(),
  /** Stored with the process, before it can write anything. */
  watches: watchesSchema.default([]),
  /** How long to wait for a person where the policy asks one; default: as long as the approval lasts. */
  approvalWaitMs: z.int().min(0).max(3_600_000).optional(),
  /**
   * Answer only when it has ended, or after so long: then it goes on. More than the configured maximum is clamped and said so;
   * zero or less is an error.
   */
  waitMs: z.int().positive().optional(),
  /** The same key gives the same process, also after a crash between start and answer. */
  idempotencyKey: key.optional(),
});
export type StartInput = z.infer<typeof startInputSchema>;

export const processExitSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: z.int().min(0).max(255) }),
  z.object({
    kind: z.literal("signaled"),
    /** As in `SIGTERM`. */
    signal: z.string(),
    signalNumber: z.int(),
    coreDumped: z.boolean(),
  }),
  z.object({ kind: z.literal("spawn_failed"), stage: startStageSchema, errno: z.int(), message: z.string() }),
  z.object({ kind: z.literal("lost"), lastSeen: time }),
]);
export type ProcessExit = z.infer<typeof processExitSchema>;

/** Who asked for an end: the verb, the session it came from, the request. */
export const stopRequesterSchema = z.object({
  verb: z.string(),
  session: z.string().optional(),
  requestId: z.string().optional(),
});
export type StopRequester = z.infer<typeof stopRequesterSchema>;

export const inputWaitSchema = z.object({
  waits: z.enum(["yes", "password", "no", "unknown"]),
  /** True when it is a guess from silence, not a fact from the kernel. */
  guess: z.boolean(),
});
export type InputWait = z.infer<typeof inputWaitSchema>;

export const processViewSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** As typed, or the argument list quoted for a shell. */
  command: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  /** Where the shell of a session was when the command ended. */
  endCwd: z.string().nullable(),
  mode: processModeSchema,
  state: processStateSchema,
  exit: processExitSchema.nullable(),
  stopReason: stopReasonSchema,
  stopBy: stopRequesterSchema.nullable(),
  pid: z.int().nullable(),
  owner: ownerSchema,
  labels: labelsSchema,
  lifetime: lifetimeSchema,
  kind: processKindSchema,
  notify: notifySchema,
  limits: limitsSchema,
  confined: z.boolean(),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  /** Since the start, or from start to end. */
  uptimeMs: count,
  outputBytes: count,
  droppedBytes: count,
  /** The output was removed by retention or by hand; the record stays. */
  outputRemoved: z.boolean(),
  /** Of the child and what it waited for; once ended. */
  usage: resourceUsageSchema.nullable(),
});
export type ProcessView = z.infer<typeof processViewSchema>;

/** What `get` adds: costs a look at the processes themselves. */
export const processDetailSchema = processViewSchema.extend({
  /** Living processes of the tree, the main one included. */
  processes: count,
  cpuMs: count,
  memoryBytes: count,
  lastLine: z.string(),
  inputWait: inputWaitSchema,
  stdin: z.enum(["open", "closed"]),
  columns: count,
  rows: count,
  environmentNames: z.array(z.string()),
  /** Null: not confined, or no longer known. */
  confinement: confinementSchema.nullable(),
  directory: z.string(),
  /** Which other sessions may see or control it. */
  shares: z.array(shareSchema),
});
export type ProcessDetail = z.infer<typeof processDetailSchema>;

export const startOutputSchema = processViewSchema.extend({
  /** False: the idempotency key or `ensure` found a process that was there. */
  created: z.boolean(),
  /** What was changed on the way, in words: an added variable, a stopped predecessor. */
  notes: z.array(z.string()),
});
export type StartOutput = z.infer<typeof startOutputSchema>;
