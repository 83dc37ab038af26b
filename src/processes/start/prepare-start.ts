// Everything about a start that can be refused is found out here, before anything is stored, stopped or run for it.
import {
  boundedNofile,
  type BeginStart,
  type Confinement,
  type ResourceLimit,
  type StartRequest,
} from "../../keeper/index.ts";
import type { Config } from "../../config/index.ts";
import type { Lifetime, StartInput } from "../../protocol/process.ts";
import { sizeInForce } from "../../protocol/terminal-size.ts";
import { withoutEnvironmentValues, type ProcessRecord } from "../../store/index.ts";
import type { ProcessContext } from "../context.ts";
import { newRecord } from "../new-record.ts";
import type { PreparedCommand } from "../shell/shell-sessions.ts";
import { chooseDirectory, prepareCommand } from "../shell/start-in-shell.ts";
import { childEnvironment } from "./child-environment.ts";
import { confineStart } from "./confine-start.ts";
import { defaultPolicy } from "./environment-policy.ts";
import { makeNote } from "./note.ts";
import { projectLimits, projectNotes } from "./project-defaults.ts";
import { resolveCommand, type ResolvedCommand } from "./resolve-command.ts";

export interface PreparedStart {
  readonly record: ProcessRecord;
  readonly begin: BeginStart;
  /** How long it may take. */
  readonly timeoutMs: number;
  readonly notes: readonly string[];
}

/** Who named a task or session gets a process that ends with it; everybody else's goes on. */
function chooseLifetime(input: StartInput): Lifetime {
  if (input.lifetime !== undefined) return input.lifetime;
  return input.owner.task !== undefined ? "task" : "detached";
}

function recordOf(id: string, input: StartInput, command: ResolvedCommand, cwd: string): ProcessRecord {
  return newRecord({
    id,
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

interface RequestParts extends PreparedCommand {
  readonly confinement: Confinement | undefined;
}

function keeperRequest(
  record: ProcessRecord,
  input: StartInput,
  prepared: RequestParts,
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

/**
 * From here on the end of a command of a session's shell counts: whoever does not start it settles it.
 * @throws HoldfastError INVALID_ARGUMENT, REQUEST_TOO_LARGE
 */
export async function prepareStart(
  context: ProcessContext,
  id: string,
  asked: StartInput,
): Promise<PreparedStart> {
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
  const record = recordOf(id, input, command, cwd);
  const prepared = await prepareCommand(context, input, record, variables);
  const { confinement, notes: confinedNotes } = await confineStart(context, input, {
    cwd,
    files: prepared.files,
  });
  const request = keeperRequest(record, input, { ...prepared, confinement }, config);
  return {
    record,
    begin: context.launcher.prepare(request),
    timeoutMs: config.start.timeoutMs,
    notes: [...directoryNotes, ...projectNotes(project), ...notes, ...prepared.notes, ...confinedNotes],
  };
}
