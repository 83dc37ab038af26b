import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeLines } from "../format/safe-text.ts";
import { noticeFilterOf, withNoticeFilter, type NoticeFilterOptions } from "../notice-options.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parseCount } from "../parse/numbers.ts";

interface Options extends JsonOption, NoticeFilterOptions {
  readonly after?: number;
  readonly all?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Print notices as they come, through restarts of the daemon; settles nothing.")
    .option("-a, --all", "also those that nobody asked for")
    .option("--after <cursor>", "begin after this cursor instead of now", parseCount);
  return withJson(withNoticeFilter(command)).action((options: Options) => follow(cli, options));
}

async function follow(cli: Cli, options: Options): Promise<void> {
  const client = await cli.client();
  const filter = { ...noticeFilterOf(options), ...given({ after: options.after }) };
  for await (const notice of client.notices({ ...filter, recorded: options.all === true })) {
    if (options.json === true) cli.printJson(notice);
    else cli.print(`${safeLines(notice.text)}\n`);
  }
}
