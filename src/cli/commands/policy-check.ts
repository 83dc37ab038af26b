import { resolve } from "node:path";
import { Command } from "commander";
import type { PolicyCheck } from "../../protocol/policy.ts";
import type { Cli } from "../context.ts";
import { safeLines } from "../format/safe-text.ts";
import { withJson, type JsonOption } from "../options.ts";
import { commandOf } from "../parse/command.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly cwd?: string;
  readonly session?: string;
  readonly profile?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell what would be decided about a command, and why; nothing is started.")
    .usage("[options] [--] COMMAND [ARGUMENT...]")
    .argument("[command...]", "as for `run`: words as they are, or one text for a shell")
    .passThroughOptions()
    .option("--cwd <directory>", "where it would run; default: here")
    .option("--session <key>", "as a command of this session, with what was lifted for it")
    .option("--profile <profile>", "as a command of this profile");
  return withJson(command).action(async (words: string[], options: Options) => {
    const client = await cli.client();
    const { cwd = ".", session, profile, json } = options;
    const checked = await client.policy.check({
      command: commandOf(words),
      cwd: resolve(cwd),
      ...given({ session, profile }),
    });
    if (json === true) cli.printJson(checked);
    else cli.print(safeLines(render(checked)));
  });
}

function render({ decision, profile, configured, commands, reasons, lifted }: PolicyCheck): string {
  if (!configured) return `allow: nothing is configured for profile "${profile}"`;
  const by = lifted === null ? "" : `, because of ${lifted}`;
  return [
    `${decision}${by} (profile "${profile}")`,
    ...reasons.map(({ decision: word, rule, text, command }) => `  ${word}  ${rule}: ${text}: ${command}`),
    ...(commands.length === 0 ? [] : ["commands seen:"]),
    ...commands.map((argv) => `  ${argv.join(" ")}`),
  ].join("\n");
}
