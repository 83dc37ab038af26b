import { Command } from "commander";
import { errorRegistry } from "../../protocol/errors.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Check the configuration files: exit code 2 when there is a problem.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const { valid, files, problems } = await client.config.check({ directory: process.cwd() });
    if (json === true) cli.printJson({ valid, files, problems });
    else if (valid)
      cli.print(
        files.length === 0 ? "No files; all is default." : `Valid: ${files.map(safeText).join(", ")}`,
      );
    else {
      for (const { file, line, key, message } of problems) {
        cli.print(safeText(`${file}${line === null ? "" : `:${line}`} ${key}: ${message}`));
      }
    }
    cli.exitCode = valid ? 0 : errorRegistry.CONFIG_INVALID.exitCode;
  });
}
