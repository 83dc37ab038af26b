import { Command } from "commander";
import type { Cli } from "../context.ts";
import { ownProgram } from "../own-program.ts";

interface Options {
  readonly session?: string;
  readonly channel?: boolean;
}

export function define(cli: Cli): Command {
  return new Command()
    .description(
      "Serve the Model Context Protocol on standard input and output, for an agent that starts this command. Starts a daemon when one is needed.",
    )
    .option(
      "--session <key>",
      "whose processes it works with; default: HOLDFAST_SESSION, else one per client and project",
    )
    .option(
      "--channel",
      "push notices into the client (claude/channel), also when it does not look as if it took them",
    )
    .action((options: Options) => serve(cli, options));
}

async function serve(cli: Cli, { session, channel }: Options): Promise<void> {
  // Loaded by its path: the SDK must not be part of the command line's own file.
  const program = (await import(ownProgram("serve-mcp"))) as typeof import("../serve-mcp.ts");
  await program.serveMcp({
    home: cli.home,
    environment: cli.environment,
    directory: process.cwd(),
    session: session ?? cli.session,
    channel: channel === true,
  });
}
