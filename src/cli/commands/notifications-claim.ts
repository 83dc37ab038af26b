import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeLines } from "../format/safe-text.ts";
import { noticeFilterOf, withNoticeFilter, type NoticeFilterOptions } from "../notice-options.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parseDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption, NoticeFilterOptions {
  readonly consumer: string;
  readonly limit?: number;
  readonly lease?: number;
  readonly wait?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Take owed notices for a while; acknowledge or release them under the same name.")
    .requiredOption("--consumer <name>", "who takes them")
    .option("-n, --limit <count>", "at most so many; default 10", parsePositive)
    .option("--lease <time>", "after this somebody else may have them; default 60s", parseDuration)
    .option("--wait <time>", "wait so long for the first one", parseDuration);
  return withJson(withNoticeFilter(command)).action((options: Options) => claim(cli, options));
}

async function claim(cli: Cli, options: Options): Promise<void> {
  const client = await cli.client();
  const { notices } = await client.notifications.claim({
    ...noticeFilterOf(options),
    consumer: options.consumer,
    ...given({ limit: options.limit, leaseMs: options.lease, waitMs: options.wait }),
  });
  if (options.json === true) cli.printJson(notices);
  else for (const { text } of notices) cli.print(`${safeLines(text)}\n`);
}
