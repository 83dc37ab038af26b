// The verb `start`: everything is decided and stored before the child can run, so that a child which ends at once loses nothing.
import {
  boundedNofile,
  confinementLack,
  confinementUnavailable,
  type Confinement,
  type ResourceLimit,
  type StartOutcome,
  type StartRequest,
} from "../../keeper/index.ts";
import type { Config } from "../../config/index.ts";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { ExitRecord, StartStage } from "../../protocol/exit.ts";
import { newProcessId } from "../../protocol/ids.ts";
import type { Lifetime, StartInput } from "../../protocol/process.ts";
import { sizeInForce } from "../../protocol/terminal-size.ts";
import { withoutEnvironmentValues, type ProcessRecord } from "../../store/index.ts";
import { aboutProcess, keptProcess, type ProcessContext } from "../context.ts";
import { finishSurely } from "../finish-process.ts";
import { newRecord } from "../new-record.ts";
import { checkWatches } from "../watch/check-watches.ts";
import type { PreparedCommand } from "../shell/shell-sessions.ts";
import { chooseDirectory, prepareCommand } from "../shell/start-in-shell.ts";
import { childEnvironment } from "./child-environment.ts";
import { confineStart } from "./confine-start.ts";
import { defaultPolicy } from "./environment-policy.ts";
import { makeNote } from "./note.ts";
import { projectLimits, projectNotes } from "./project-defaults.ts";
import { resolveCommand, type ResolvedCommand } from "./resolve-command.ts";

export interface Started {
  readonly record: ProcessRecord;
  readonly notes: readonly string[];
}

/** Who named a task or session gets a process that ends with it; everybody else's goes on. */
function chooseLifetime(input: StartInput): Lifetime {
  if (input.lifetime !== undefined) return input.lifetime;
  return input.owner.task !== undefined ? "task" : "detached";
}

function recordOf(input: StartInput, command: ResolvedCommand, cwd: string): ProcessRecord {
  return newRecord({
    id: newProcessId(),
    name: input.name ?? null,
    command: command.shown,
    argv: command.argv,
    cwd,
    mode: input.mode,
    spec: withoutEnvironmentValues(input),
    session: input.owner.session ?? null,
    task: input.owner.task ?? null,
    profile: input.owner.profile,
    origin: input.owner.origin ?? null,
    labels: input.labels,
    lifetime: chooseLifetime(input),
    idempotencyKey: input.idempotencyKey ?? null,
    createdAt: Date.now(),
    kind: input.kind,
    notify: input.notify ?? (input.kind === "job" ? "end" : "off"),
  });
}

/** Leaves out what was not asked for: `undefined` is not the same as absent to the keeper's side. */
function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

function withNofile(callers: ResourceLimit, rlimits: StartRequest["rlimits"] = {}): StartRequest["rlimits"] {
  return { nofile: boundedNofile(callers), ...rlimits };
}

interface Preparation extends PreparedCommand {
  readonly confinement: Confinement | undefined;
}

function keeperRequest(
  record: ProcessRecord,
  input: StartInput,
  prepared: Preparation,
  config: Config,
): StartRequest {
  const { limits } = input;
  const { confinement } = prepared;
  return {
    id: record.id,
    argv: prepared.argv,
    env: prepared.env,
    binaryEnv: prepared.binaryEnv,
    environmentIsExact: input.environment.exact,
    cwd: record.cwd,
    mode: record.mode === "pipe" ? "split" : record.mode,
    stdin: input.stdin,
    ...sizeInForce(input, config.terminal),
    headLimitBytes: limits.headBytes ?? config.output.headBytes,
    tailLimitBytes: limits.tailBytes ?? config.output.tailBytes,
    graceMs: limits.graceMs ?? config.stop.graceMs,
    note: makeNote(record),
    ...defined({
      confinement,
      umask: input.umask,
      nice: input.nice,
      rlimits: input.nofile === undefined ? limits.rlimits : withNofile(input.nofile, limits.rlimits),
      wallLimitMs: limits.wallMs,
      idleLimitMs: limits.idleMs,
      outputLimitBytes: limits.outputBytes,
      memoryLimitBytes: limits.memoryBytes,
    }),
  };
}

export function failedExit(stage: StartStage, errno: number): ExitRecord {
  return {
    exit: { kind: "spawn_failed", stage, errno },
    stopReason: "none",
    endedAt: Date.now(),
    durationUs: 0,
    outputBytes: 0,
    gapBytes: 0,
    descendants: 0,
  };
}

function requireRoom({ registry: { liveCount }, config }: ProcessContext): void {
  const most = config().processes.maxRunning;
  if (liveCount < most) return;
  throw new HoldfastError("TOO_MANY_PROCESSES", `${liveCount} processes run, as many as are allowed.`, {
    details: { running: liveCount, most },
  });
}

const timedOutErrno = 110; // ETIMEDOUT, as the keeper itself says it

/**
 * @throws HoldfastError TOO_MANY_PROCESSES, INVALID_ARGUMENT, START_TIMEOUT, REQUEST_TOO_LARGE, LAUNCHER_UNREACHABLE,
 * CONFINEMENT_UNAVAILABLE
 */
export async function startProcess(context: ProcessContext, asked: StartInput): Promise<Started> {
  requireRoom(context);
  checkWatches(asked.watches, asked.mode);
  const { cwd, notes: directoryNotes } = await chooseDirectory(context, asked);
  const project = await context.configIn(cwd);
  const { config } = project;
  const input = { ...asked, limits: { ...projectLimits(project), ...asked.limits } };
  const { variables, notes } = await childEnvironment({
    input: input.environment,
    mode: input.mode,
    cwd,
    ...sizeInForce(input, config.terminal),
    defaultPolicy: defaultPolicy(input.owner),
    lists: config.environment,
    login: () => context.login.get(),
  });
  const shell = config.shell.program ?? variables["SHELL"];
  const command = await resolveCommand(input.command, shell);
  const record = recordOf(input, command, cwd);
  if (record.session !== null) context.activity.touch(record.session);
  const prepared = await prepareCommand(context, input, record, variables);
  try {
    const { confinement, notes: confinedNotes } = await confineStart(context, input, {
      cwd,
      files: prepared.files,
    });
    await context.registry.insert(record);
    const request = keeperRequest(record, input, { ...prepared, confinement }, config);
    const started = await runStart(context, record, request, config.start.timeoutMs);
    if (started.exit?.exit.kind === "spawn_failed") context.shells.settle(record.id);
    const projects = projectNotes(project);
    return {
      record: started,
      notes: [...directoryNotes, ...projects, ...notes, ...prepared.notes, ...confinedNotes],
    };
  } catch (error) {
    context.shells.settle(record.id);
    throw error;
  }
}

async function runStart(
  context: ProcessContext,
  record: ProcessRecord,
  request: StartRequest,
  timeoutMs: number,
): Promise<ProcessRecord> {
  const { registry } = context;
  const outcome = await launch(context, record, request, timeoutMs);
  if (outcome.kind === "failed") {
    const exit = failedExit(outcome.stage, outcome.errno);
    const failed = await registry.apply(record.id, "start_failed", { exit, endedAt: exit.endedAt });
    const lack = confinementLack(outcome.stage, outcome.errno);
    if (lack === undefined) return failed;
    // Nothing of the command is wrong, and no other will do better: that is no answer about a process.
    throw confinementUnavailable(lack, { id: record.id, stage: outcome.stage, errno: outcome.errno });
  }
  const { pid, childStart } = outcome;
  const startedAt = Date.now();
  // Before its end can be heard of: nothing is told of that until its watches have seen all it wrote.
  context.watches.begin({ ...record, pid, childStart, startedAt });
  void outcome.ended.then(
    (exit) => finishSurely(context, record.id, exit),
    (error: unknown) =>
      context.signal.aborted ||
      context.report(`The end of ${record.id} could not be followed.`, error, aboutProcess(record)),
  );
  try {
    return await registry.apply(record.id, "started", { pid, childStart, startedAt });
  } catch (error) {
    // What cannot be written down cannot be answered for: it must not run on unknown to everybody.
    const kept = keptProcess(context, record.id);
    await kept.stop({ graceMs: 0 }).finally(() => kept.close());
    throw error;
  }
}

/** Whatever goes wrong, nothing of it runs: the record says so before the caller hears of it. */
async function launch(
  context: ProcessContext,
  record: ProcessRecord,
  request: StartRequest,
  timeoutMs: number,
): Promise<StartOutcome> {
  try {
    return await context.launcher.start(request, { timeoutMs });
  } catch (error) {
    const exit = failedExit(isHoldfastError(error, "START_TIMEOUT") ? "deadline" : "keeper", timedOutErrno);
    await context.registry.apply(record.id, "start_failed", { exit, endedAt: exit.endedAt });
    throw error;
  }
}
