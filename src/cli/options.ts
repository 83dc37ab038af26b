// Options that several commands share.
import { Option, type Command } from "commander";
import { parseDuration } from "./parse/duration.ts";
import { given } from "./parse/given.ts";
import { collectKeyValue, type KeyValues } from "./parse/key-value.ts";

export interface JsonOption {
  readonly json?: boolean;
}

export interface SelectorOptions {
  readonly session?: string;
  readonly task?: string;
  readonly label?: KeyValues;
}

export const processArgument = "the process: its id, the first 4 or more characters of it, or its name";

export function withJson(command: Command): Command {
  return command.option("--json", "print JSON");
}

/** For a daemon that goes. */
export function drainOption(): Option {
  return new Option(
    "--drain <duration>",
    "how long the old one lets open waits finish; default: daemon.drainMs, and for a replacement none",
  ).argParser(parseDuration);
}

/** Which processes, by what they belong to. */
export function withSelector(command: Command): Command {
  return command
    .option("--session <key>", "only those of this session")
    .option("--task <id>", "only those of this task")
    .option("--label <key=value>", "only those with this label; repeat for more", collectKeyValue);
}

export function selectorOf({ session, task, label }: SelectorOptions): {
  session?: string;
  task?: string;
  labels?: KeyValues;
} {
  return given({ session, task, labels: label });
}
