import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

interface Options extends JsonOption {
  readonly print?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Open the dashboard in your browser, signed in. For persons only: not from inside a kept process, and not for a session.",
    )
    .option("--print", "only print the link: it is good once, for a few minutes");
  return withJson(command).action(async ({ print, json }: Options) => {
    const client = await cli.client();
    const opened = await client.dashboard.open({});
    if (json === true) {
      cli.printJson(opened);
      return;
    }
    if (print !== true) {
      const { openBrowser } = await import("../open-browser.ts");
      const why = await openBrowser(opened.link, cli.environment);
      if (why === undefined) {
        cli.print(`Opened ${opened.address}`);
        return;
      }
      cli.note(`No browser was started: ${why}. The link is good once, until ${opened.expiresAt}:`);
    }
    cli.print(opened.link);
  });
}
