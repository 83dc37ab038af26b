// `holdfast init`: our MCP entry in the files of agents. Loaded as a program of its own, so what it throws would not be known to the
// command line: failures are handed back as data.
import { homedir } from "node:os";
import type { Agent, ServerCommand } from "../agents/agent.ts";
import { agents } from "../agents/agent-table.ts";
import { fileOf, isHere, projectFileOf, type Machine } from "../agents/place.ts";
import { planRemoval, planWrite, type Change } from "../agents/plan-change.ts";
import { writeChange } from "../agents/write-change.ts";
import { errorRegistry, HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { commandLineProgram, temporaryPlaceOf } from "../supervision/index.ts";
import { projectRoot } from "../util/project-root.ts";
import type { InitOptions } from "./commands/init.ts";
import type { Cli } from "./context.ts";
import { Questions } from "./init/questions.ts";
import { tellChange, tellDone, tellNothing } from "./init/tell-change.ts";
import type { PartFailure } from "./part-failures.ts";

/** What became of one agent's file; --json prints these. */
export interface InitOutcome {
  readonly agent: string;
  readonly file: string;
  readonly state: Change["state"] | "invalid";
  readonly action: "written" | "replaced" | "removed" | "unchanged" | "declined" | "planned" | "refused";
  readonly backup: string | null;
  readonly error: PartFailure | null;
}

type Answer = Pick<InitOutcome, "action"> & { readonly backup?: string; readonly error?: HoldfastError };

/** Resolves with what went wrong; everything else was done. */
export async function runInit(cli: Cli, options: InitOptions): Promise<PartFailure[]> {
  const machine: Machine = {
    home: cli.environment["HOME"] || homedir(),
    environment: cli.environment,
    platform: process.platform,
  };
  const targets = targetsOf(options, machine, projectRoot(process.cwd()));
  if (targets.length === 0) return [failureOf(new HoldfastError("AGENT_NOT_FOUND", nobodyText(options)))];
  const command = options.project === true ? projectCommand : ownCommand(cli);
  tellTemporary(cli, options, command);
  using questions = new Questions(options);
  const outcomes: InitOutcome[] = [];
  for (const target of targets) outcomes.push(await handle(cli, target, { options, command, questions }));
  if (options.json === true) cli.printJson(outcomes);
  // Many files, one answer that is missing.
  const codes = new Map(
    outcomes.flatMap(({ error }) => (error === null ? [] : [[keyOf(error), error] as const])),
  );
  return [...codes.values()];
}

interface Target {
  readonly agent: Agent;
  readonly file: string;
}

function targetsOf({ agent: named, project }: InitOptions, machine: Machine, root: string): Target[] {
  const chosen = agents.filter((agent) =>
    named === undefined ? isHere(agent, machine) : named.includes(agent.name),
  );
  return chosen.flatMap((agent) => {
    const file = project === true ? projectFileOf(agent, root) : fileOf(agent, machine);
    return file === undefined ? [] : [{ agent, file }];
  });
}

function nobodyText({ project }: InitOptions): string {
  const which = project === true ? "with a file in a project " : "";
  return `No agent ${which}was found, of ${agents.map(({ title }) => title).join(", ")}.`;
}

/** For a file that others read as well: whatever they have installed. */
const projectCommand: ServerCommand = { command: "holdfast", args: ["mcp"], env: {} };

/** By whole paths: a program that was not started from a shell knows neither our PATH nor that of Node. */
function ownCommand({ environment, home }: Cli): ServerCommand {
  const env = environment["HOLDFAST_HOME"] ? { HOLDFAST_HOME: home } : {};
  return { command: process.execPath, args: [commandLineProgram(), "mcp"], env };
}

function tellTemporary(cli: Cli, { remove }: InitOptions, { command, args }: ServerCommand): void {
  const found = [command, ...args].find(
    (path) => path.startsWith("/") && temporaryPlaceOf(path) !== undefined,
  );
  if (found === undefined || remove === true) return;
  cli.note(`The entry starts ${found}, which may vanish: install Holdfast where it stays.`);
}

interface Work {
  readonly options: InitOptions;
  readonly command: ServerCommand;
  readonly questions: Questions;
}

async function handle(cli: Cli, { agent, file }: Target, work: Work): Promise<InitOutcome> {
  const { options, command } = work;
  let change: Change | undefined;
  try {
    change = options.remove === true ? planRemoval(agent, file) : planWrite(agent, file, command);
    const { action, backup, error } = await carryOut(cli, change, work);
    return {
      agent: agent.name,
      file,
      state: change.state,
      action,
      backup: backup ?? null,
      error: error ? failureOf(error) : null,
    };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return {
      agent: agent.name,
      file,
      state: change?.state ?? "invalid",
      action: "refused",
      backup: null,
      error: failureOf(error),
    };
  }
}

async function carryOut(cli: Cli, change: Change, { options, questions }: Work): Promise<Answer> {
  const isTold = options.json !== true;
  if (change.text === undefined) {
    if (isTold) tellNothing(cli, change, options.remove === true);
    return { action: "unchanged" };
  }
  if (isTold) tellChange(cli, change);
  if (options.dryRun === true) return { action: "planned" };
  const isOther = options.remove !== true && change.state === "different" && options.replace !== true;
  const answer = await questions.mayChange(
    isOther ? "Replace it?" : options.remove === true ? "Remove it?" : "Write it?",
    isOther,
  );
  if (answer === "no") return { action: "declined" };
  if (answer !== "yes") return { action: "refused", error: refusal(answer, change) };
  const { backup } = writeChange(change, new Date());
  if (isTold) tellDone(cli, change, backup);
  const action = options.remove === true ? "removed" : change.state === "different" ? "replaced" : "written";
  return { action, ...(backup === undefined ? {} : { backup }) };
}

function refusal(
  code: "AGENT_ENTRY_DIFFERS" | "CONFIRMATION_REQUIRED",
  { agent, stored }: Change,
): HoldfastError {
  return code === "CONFIRMATION_REQUIRED"
    ? new HoldfastError(code, "Nothing was changed: there is nobody to ask.")
    : new HoldfastError(code, `${stored.path} has another entry named holdfast (${agent.title}).`);
}

function keyOf({ code, message }: PartFailure): string {
  return code === "CONFIRMATION_REQUIRED" ? code : `${code} ${message}`;
}

function failureOf({ code, message, hint }: HoldfastError): PartFailure {
  return { code, message, hint: hint || errorRegistry[code].hint };
}
