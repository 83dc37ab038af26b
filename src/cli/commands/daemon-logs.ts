import { existsSync } from "node:fs";
import { Command, Option } from "commander";
import { homeFiles, logLevels, parseLogLine, renderLogEntry } from "../../home/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { safeJson } from "../../util/safe-text.ts";
import type { Cli } from "../context.ts";
import { isWanted, type LogFilter } from "../daemon-log/log-filter.ts";
import { LogReader, type LogLine } from "../daemon-log/log-reader.ts";
import { hasColour } from "../format/style.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parsePositive } from "../parse/numbers.ts";
import { writeOut } from "../terminal/write-out.ts";

interface Options extends JsonOption, LogFilter {
  readonly follow?: boolean;
  readonly tail?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show the daemon's own log, read from its files: also when it is down or hangs.")
    .option("-f, --follow", "go on until interrupted, over rotations and restarts")
    .option("-n, --tail <lines>", "begin with the last so many that are wanted", parsePositive)
    .addOption(new Option("--level <level>", "only entries at least this severe").choices(logLevels))
    .option("--session <key>", "only entries about this session")
    .option(
      "--process <id>",
      "only entries about this process: its id, or the first 4 or more characters of it",
    );
  return withJson(command).action((options: Options) => logs(cli, options));
}

async function logs(cli: Cli, options: Options): Promise<void> {
  const note = (text: string): void => cli.note(`holdfast: ${text}`);
  if (!existsSync(cli.home)) {
    note(`there is no home ${cli.home} yet, and so no log`);
    return;
  }
  const reader = openReader(cli, options.follow === true);
  const isColoured = hasColour(process.stdout.isTTY, cli.environment);
  const print = async (line: LogLine): Promise<void> => {
    const entry = parseLogLine(line.text);
    if (entry === undefined) note(brokenText(line));
    else
      await writeOut(
        options.json === true ? `${safeJson(line.text)}\n` : renderLogEntry(entry, { isColoured }),
      );
  };
  try {
    if (reader.isEmpty) note(`${cli.home} has no log of a daemon yet`);
    for (const line of beginning(reader, options)) await print(line);
    if (options.follow !== true) return;
    for await (const line of reader.coming()) if (isShown(line, options)) await print(line);
  } finally {
    reader.close();
  }
}

function openReader(cli: Cli, follow: boolean): LogReader {
  try {
    const note = (text: string): void => cli.note(`holdfast: ${text}`);
    return new LogReader({ path: homeFiles(cli.home).log, follow, note });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("SYSTEM_ERROR", `The log of ${cli.home} cannot be read: ${reason}`, {
      hint: "Check that the home is there and yours.",
      cause: error,
    });
  }
}

/** The lines that are there already, or the last of them. */
function* beginning(reader: LogReader, options: Options): Generator<LogLine> {
  const { tail = Infinity } = options;
  const last: LogLine[] = [];
  for (const line of reader.present()) {
    if (!isShown(line, options)) continue;
    if (tail === Infinity) yield line;
    else if (last.push(line) > tail) last.shift();
  }
  yield* last;
}

/** What cannot be read may be about anything, so no filter hides it. */
function isShown({ text }: LogLine, filter: LogFilter): boolean {
  if (text === "") return false;
  const entry = parseLogLine(text);
  return entry === undefined || isWanted(entry, filter);
}

// Enough to see what it was.
const mostBrokenCharacters = 120;

function brokenText({ file, text }: LogLine): string {
  const shown = text.length > mostBrokenCharacters ? `${text.slice(0, mostBrokenCharacters)}…` : text;
  return `${file} has a line that was not written whole: ${shown}`;
}
