// The one place where configuration keys are made. The file format, the environment variables, `config explain` and
// docs/configuration.md all follow from this schema: a key added here is everywhere.
import { z } from "zod";
import { mostLimit, nameSchema } from "../protocol/process.ts";
import { longestTimerMs } from "../protocol/timer.ts";
import { profileConfinementSchema } from "./confinement-schema.ts";
import { dashboardSchema } from "./dashboard-schema.ts";
import { key } from "./key.ts";
import { profilePolicySchema } from "./policy-schema.ts";
import { sinksSchema } from "./sink-schema.ts";

const timerMs = z.int().max(longestTimerMs);
const count = z.int().nonnegative();
const variableName = z.string().regex(/^[^=*\0]+$/, "the name of a variable");
const variablePattern = z.string().regex(/^[^=\0]+$/, "the name of a variable, with * for anything");
const live = { needsRestart: false };
const atRestart = { needsRestart: true };
const inMs = { unit: "milliseconds", ...live };
const inBytes = { unit: "bytes", ...live };
const byProject = { mayProjectSet: true } as const;

export const configSchema = z.strictObject({
  profile: key(nameSchema.default("default"), {
    description: "The profile of processes whose caller names none.",
    unit: null,
    ...live,
  }),
  processes: z
    .strictObject({
      maxRunning: key(z.int().min(1).max(100_000).default(256), {
        description: "How many processes may run at once; a start beyond it is refused.",
        unit: "processes",
        ...live,
      }),
    })
    .prefault({}),
  start: z
    .strictObject({
      timeoutMs: key(timerMs.min(1).default(5_000), {
        description: "How long a start may take before it is given up and undone.",
        ...inMs,
        ...byProject,
      }),
    })
    .prefault({}),
  stop: z
    .strictObject({
      graceMs: key(timerMs.min(0).default(2_000), {
        description: "Time between asking a process to end and killing it.",
        ...inMs,
        ...byProject,
      }),
    })
    .prefault({}),
  wait: z
    .strictObject({
      defaultMs: key(timerMs.min(1).default(180_000), {
        description: "How long a wait lasts when its caller gives no timeout.",
        ...inMs,
        ...byProject,
      }),
      maxMs: key(timerMs.min(1).default(600_000), {
        description: "The longest wait; a longer timeout is shortened to it, and the answer says so.",
        ...inMs,
      }),
    })
    .prefault({}),
  output: z
    .strictObject({
      headBytes: key(count.max(mostLimit).default(1_048_576), {
        description: "How much of the beginning of a process's output is always kept.",
        ...inBytes,
        ...byProject,
      }),
      tailBytes: key(count.min(4_096).max(mostLimit).default(67_108_864), {
        description: "How much of the newest output is kept after that; older output is dropped, and told.",
        ...inBytes,
        ...byProject,
      }),
    })
    .prefault({}),
  retention: z
    .strictObject({
      ageMs: key(count.default(86_400_000), {
        description: "How long an ended process is remembered, counted from its end.",
        ...inMs,
      }),
      maxEnded: key(count.default(1_000), {
        description: "How many ended processes are remembered; the oldest go first.",
        unit: "processes",
        ...live,
      }),
      maxDiskBytes: key(count.default(2_147_483_648), {
        description:
          "How much disk all runs together, the living ones included, may take before the oldest ended ones are removed.",
        ...inBytes,
      }),
      intervalMs: key(timerMs.min(1_000).default(60_000), {
        description:
          "Time between two looks for what may be removed; a new value counts after the next look.",
        ...inMs,
      }),
    })
    .prefault({}),
  sinks: key(sinksSchema.default({}), {
    description: "Where notices are pushed to: webhooks, and commands that resume an agent; by name.",
    unit: null,
    isConfidential: true,
    ...live,
  }),
  desktop: z
    .strictObject({
      command: key(z.array(z.string().min(1)).min(1).nullable().default(null), {
        description:
          "The program that shows a desktop notice, with title and text added to its arguments; without it notify-send, on macOS osascript.",
        unit: null,
        ...live,
      }),
    })
    .prefault({}),
  jobs: z
    .strictObject({
      limitMs: key(timerMs.min(1_000).default(3_600_000), {
        description:
          "How long a job may run when its caller gives no limit; then it is ended, and its end told.",
        ...inMs,
        ...byProject,
      }),
    })
    .prefault({}),
  notifications: z
    .strictObject({
      keepPendingMs: key(count.default(2_592_000_000), {
        description:
          "How long a notice that nobody has taken care of is kept; what goes then is told in the daemon's log.",
        ...inMs,
      }),
      keepSettledMs: key(count.default(604_800_000), {
        description: "How long a notice that was seen or acknowledged, or that nobody asked for, is kept.",
        ...inMs,
      }),
    })
    .prefault({}),
  watch: z
    .strictObject({
      windowMs: key(timerMs.min(1).default(15_000), {
        description:
          "Matches of one process are pushed once in this time; what comes inside it is told when it ends.",
        ...inMs,
      }),
      maxLines: key(z.int().min(1).max(100).default(20), {
        description: "How many matching lines a push shows; the others are counted.",
        unit: "lines",
        ...live,
      }),
      maxCharacters: key(z.int().min(100).max(20_000).default(2_000), {
        description: "How much of the matching lines a push shows, all together.",
        unit: "characters",
        ...live,
      }),
      strikes: key(z.int().min(1).max(1_000).default(3), {
        description:
          "After so many windows in a row with matches that had to wait, a process's matches are no longer pushed, and its end is.",
        unit: "windows",
        ...live,
      }),
      breaker: z
        .strictObject({
          pushes: key(z.int().min(1).max(100_000).default(15), {
            description:
              "More pushes of matches than this in a short time, of all processes, and pushing pauses.",
            unit: "pushes",
            ...live,
          }),
          withinMs: key(timerMs.min(1).default(10_000), {
            description: "The time in which these pushes are counted.",
            ...inMs,
          }),
          pauseMs: key(timerMs.min(1).default(30_000), {
            description:
              "How long the pause is; whoever something was held back from hears its beginning and end.",
            ...inMs,
          }),
        })
        .prefault({}),
    })
    .prefault({}),
  shell: z
    .strictObject({
      program: key(z.string().regex(/^\//, "an absolute path").nullable().default(null), {
        description:
          "Absolute path of the shell that runs commands given as a string; without it $SHELL, else bash, else sh.",
        unit: null,
        ...live,
      }),
      captureTimeoutMs: key(timerMs.min(1).default(10_000), {
        description: "How long the login shell may take to tell its environment.",
        ...inMs,
      }),
      definitions: key(z.boolean().default(true), {
        description: "Whether commands of a shell session find the functions and aliases of your shell.",
        unit: null,
        ...live,
      }),
    })
    .prefault({}),
  sessions: z
    .strictObject({
      endAfterMs: key(count.default(86_400_000), {
        description:
          "A session nobody has been connected to for this long ends, with its processes of lifetime session; 0: never by itself.",
        ...inMs,
      }),
    })
    .prefault({}),
  environment: z
    .strictObject({
      pass: key(z.array(variableName).default([]), {
        description: "Names of variables that every child gets, whatever is withheld otherwise.",
        unit: null,
        ...live,
      }),
      deny: key(z.array(variablePattern).default([]), {
        description:
          "Names, with * for anything, that no child of a session, a task or a terminal gets besides credentials.",
        unit: null,
        ...live,
      }),
      allow: key(z.array(variablePattern).default([]), {
        description: "Names, with * for anything, that a terminal gets besides its own list.",
        unit: null,
        ...live,
      }),
    })
    .prefault({}),
  terminal: z
    .strictObject({
      columns: key(z.int().min(1).max(1_000).default(80), {
        description: "Width of a terminal whose caller gives none.",
        unit: "columns",
        ...live,
        ...byProject,
      }),
      rows: key(z.int().min(1).max(500).default(24), {
        description: "Height of a terminal whose caller gives none.",
        unit: "rows",
        ...live,
        ...byProject,
      }),
      maxOpen: key(z.int().min(1).max(4_096).default(32), {
        description: "How many terminals that were opened by a key may be there at once.",
        unit: "terminals",
        ...live,
      }),
      idleMs: key(count.default(0), {
        description:
          "A terminal opened by a key that nobody looks at and that writes nothing for this long is ended; 0: never by itself.",
        ...inMs,
      }),
    })
    .prefault({}),
  mcp: z
    .strictObject({
      resultTokens: key(z.int().min(500).max(100_000).default(8_000), {
        description:
          "How large an answer of the MCP tools may be, estimated at 4 characters a token; longer output is told in part.",
        unit: "tokens",
        ...live,
      }),
      approvalWaitMs: key(timerMs.min(0).max(45_000).default(40_000), {
        description:
          "How long the MCP tool `terminal` waits for a person where the policy asks; many clients give up after a minute.",
        ...inMs,
      }),
    })
    .prefault({}),
  policy: z
    .strictObject({
      profiles: key(z.record(nameSchema, profilePolicySchema).default({}), {
        description:
          "What may run, by profile: rules, protected paths, sudo. A profile without one has that of `default`; without that everything may run.",
        unit: null,
        ...live,
      }),
      approvalMs: key(timerMs.min(1_000).default(300_000), {
        description: "How long a person has to answer an approval; then it is refused.",
        ...inMs,
      }),
      elicitation: key(z.boolean().default(true), {
        description:
          "Whether a person may answer an approval in a form of their MCP client (elicitation); false where a client could answer by itself.",
        unit: null,
        ...live,
      }),
      auditMs: key(count.min(3_600_000).default(7_776_000_000), {
        description: "How long what was decided stays in the audit log; the newest 100,000 entries at most.",
        ...inMs,
      }),
    })
    .prefault({}),
  confinement: z
    .strictObject({
      profiles: key(z.record(nameSchema, profileConfinementSchema).default({}), {
        description:
          "What confined commands may write and do not see, and which must be confined, by profile. A profile without one has that of `default`.",
        unit: null,
        ...live,
      }),
    })
    .prefault({}),
  dashboard: dashboardSchema.prefault({}),
  redaction: z
    .strictObject({
      enabled: key(z.boolean().default(true), {
        description:
          "Whether secrets are hidden in what models, notices, lists and the daemon's log show. The daemon reads it once, at its start.",
        unit: null,
        ...atRestart,
      }),
    })
    .prefault({}),
  store: z
    .strictObject({
      checkIntervalMs: key(timerMs.min(1_000).default(21_600_000), {
        description:
          "Time between two integrity checks of the database; a new value counts after the next one.",
        ...inMs,
      }),
    })
    .prefault({}),
  daemon: z
    .strictObject({
      drainMs: key(timerMs.min(0).default(2_000), {
        description:
          "How long a daemon that was told to go lets open waits finish; starts are refused meanwhile.",
        ...inMs,
      }),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: key(z.enum(["trace", "debug", "info", "warn", "error", "fatal"]).default("info"), {
        description: "The least severe entries that go to the daemon's log.",
        unit: null,
        ...live,
      }),
      files: key(z.int().min(1).max(1_000).default(10), {
        description: "How many files the daemon's log is spread over; the oldest is removed.",
        unit: "files",
        ...atRestart,
      }),
      fileBytes: key(count.min(4_096).default(1_000_000), {
        description: "Size at which the daemon's log goes on in a new file.",
        unit: "bytes",
        ...atRestart,
      }),
    })
    .prefault({}),
});

type Frozen<Value> = Value extends object ? { readonly [Name in keyof Value]: Frozen<Value[Name]> } : Value;

/** Values of a schema; nobody can change them. */
export type FrozenValues<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

export type Config = FrozenValues<typeof configSchema>;
