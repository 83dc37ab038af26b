// The command line: finds the command, lets it run, tells what went wrong.
import { CommanderError } from "commander";
import { commandWords } from "./command-table.ts";
import { Cli } from "./context.ts";
import { tellFailure } from "./failure.ts";
import { refuseBrokenArguments } from "./not-utf8.ts";
import { createProgram, wordsFor } from "./program.ts";
import { exitOnBrokenPipe } from "./broken-pipe.ts";
import { flushOutput } from "./terminal/write-out.ts";
import { readVersion } from "./version.ts";

async function runCommand(cli: Cli, args: readonly string[]): Promise<void> {
  const [first = "--help"] = args;
  if (first === "--version") {
    cli.print(readVersion());
    return;
  }
  const words = wordsFor(first);
  const program = await createProgram(cli, words.length === 0 ? commandWords : words);
  await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
}

/** Options end where a command of the user's begins. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).includes("--json");
}

// As for any command line that cannot be understood.
const incompleteExitCode = 2;

/** Help was shown: because it was asked for, or because a group was named without a command. */
function helpExitCode(error: unknown): number | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code === "commander.help") return incompleteExitCode;
  return error.exitCode === 0 ? 0 : undefined;
}

async function main(args: readonly string[]): Promise<number> {
  const cli = new Cli(process.env);
  try {
    refuseBrokenArguments(args);
    await runCommand(cli, args);
    return cli.exitCode;
  } catch (error) {
    const shown = helpExitCode(error);
    if (shown !== undefined) return shown;
    const [first = ""] = args;
    const verb = wordsFor(first).length === 0 ? "" : `${first} `;
    return tellFailure(error, { verb, json: wantsJson(args) });
  } finally {
    await cli.close();
    await flushOutput();
  }
}

exitOnBrokenPipe();
// Not by an empty event loop: an open standard input would keep the program running.
void main(process.argv.slice(2)).then((code) => process.exit(code));
