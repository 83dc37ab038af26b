import { Command, Option } from "commander";
import { agents } from "../../agents/agent-table.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { ownProgram } from "../own-program.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { tellPartFailures } from "../part-failures.ts";

export interface InitOptions extends JsonOption {
  readonly agent?: readonly string[];
  readonly project?: boolean;
  readonly remove?: boolean;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Write the MCP entry of Holdfast into the configuration of the agents found here. Shows each change, asks, and keeps the file as it was beside it.",
    )
    .addOption(
      new Option("--agent <name...>", "these agents, also when they were not found").choices(
        agents.map(({ name }) => name),
      ),
    )
    .option("--project", "in the files of this project instead of your own")
    .option("--replace", "also over another entry of this name")
    .option("--remove", "take the entry out instead")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only show what would be done");
  return withJson(command).action((options: InitOptions) => init(cli, options));
}

async function init(cli: Cli, options: InitOptions): Promise<void> {
  check(options);
  // Loaded by its path: the parsers must not be part of the command line's own file.
  const program = (await import(ownProgram("run-init"))) as typeof import("../run-init.ts");
  const failures = await program.runInit(cli, options);
  cli.exitCode = tellPartFailures(cli, failures, options.json === true);
}

/** @throws HoldfastError INVALID_ARGUMENT */
function check({ agent = [], project, remove, replace }: InitOptions): void {
  if (remove === true && replace === true)
    throw invalidArgument("--remove and --replace exclude each other.");
  for (const { name, title, projectFiles, platforms } of agents) {
    if (!agent.includes(name)) continue;
    if (project === true && projectFiles === undefined) {
      throw invalidArgument(`${title} has no such file in a project: leave --project out for it.`);
    }
    if (platforms?.includes(process.platform) === false)
      throw invalidArgument(`${title} does not run on this system.`);
  }
}
