import { Command } from "commander";
import { HoldfastError } from "../../protocol/errors.ts";
import type { Cli } from "../context.ts";
import { ownProgram } from "../own-program.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options {
  readonly pty?: boolean;
}

export function define(cli: Cli): Command {
  return new Command()
    .description(
      "Start an agent that speaks ACP, for an editor that starts this command: everything passes between the two but the terminals, which are Holdfast's. Ends as the agent does.",
    )
    .usage("[options] -- AGENT [ARGUMENT...]")
    .argument("[agent...]", "the agent's program and its arguments; write -- before it")
    .option("--pty", "give its commands a terminal instead of pipes")
    .passThroughOptions()
    .action((agent: string[], options: Options) => serve(cli, agent, options));
}

async function serve(cli: Cli, agent: readonly string[], { pty }: Options): Promise<void> {
  if (agent.length === 0) {
    throw invalidArgument("There is no agent to start.", "Write it last: holdfast acp-terminal -- AGENT.");
  }
  // Loaded by its path: the schemas must not be part of the command line's own file.
  const program = (await import(ownProgram("serve-acp"))) as typeof import("../serve-acp.ts");
  const end = await program.serveAcp({
    home: cli.home,
    environment: cli.environment,
    directory: process.cwd(),
    agent,
    pty: pty === true,
  });
  if ("problem" in end)
    throw new HoldfastError("SYSTEM_ERROR", `The agent cannot be started: ${end.problem}`);
  cli.exitCode = end.exitCode;
}
