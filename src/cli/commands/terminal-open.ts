import { resolve } from "node:path";
import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parseSide } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly key: string;
  readonly cwd?: string;
  readonly restart?: boolean;
  readonly shell?: string;
  readonly columns?: number;
  readonly rows?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Open a terminal with your shell, or the one that has the key already; see it with attach.")
    .requiredOption("--key <key>", "one terminal for one key: the same key and directory give the same one")
    .option("--cwd <directory>", "where it works; default: here")
    .option("--restart", "end the one that has the key first")
    .option("--shell <program>", "another shell than your own")
    .option("--columns <count>", "its width; default: this terminal's", parseSide)
    .option("--rows <count>", "its height; default: this terminal's", parseSide);
  return withJson(command).action(async ({ json, cwd, key, restart, shell, columns, rows }: Options) => {
    const client = await cli.client();
    const opened = await client.terminal.open({
      key,
      cwd: cwd === undefined ? process.cwd() : directoryOf(cwd),
      ...given({
        restart,
        shell,
        columns: columns ?? process.stdout.columns,
        rows: rows ?? process.stdout.rows,
      }),
    });
    if (json === true) {
      cli.printJson(opened);
      return;
    }
    const { process: terminal, reused, replaced } = opened;
    if (replaced !== undefined) cli.note(`${replaced} was ended first.`);
    cli.print(
      `${terminal.id} ${reused ? "is there" : "is new"}: ${terminal.cwd}, ${opened.columns}×${opened.rows}`,
    );
  });
}

/** A shell has expanded `~` unless it was quoted; then the daemon does. */
function directoryOf(cwd: string): string {
  return cwd === "~" || cwd.startsWith("~/") ? cwd : resolve(cwd);
}
