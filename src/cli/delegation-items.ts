// Items of a delegation on the command line: one by options, many as JSON on standard input.
import { Option, type Command } from "commander";
import type { OperationInput } from "../protocol/operations.ts";
import { parseDuration } from "./parse/duration.ts";
import { given } from "./parse/given.ts";
import { invalidArgument } from "./parse/invalid-argument.ts";
import { parseCount } from "./parse/numbers.ts";

type Items = NonNullable<OperationInput<"delegation.finish">["items"]>;
type Status = NonNullable<Items[number]["status"]>;

export interface ItemOptions {
  readonly item?: number;
  readonly status?: Status;
  readonly summary?: string;
  readonly itemError?: string;
  readonly duration?: number;
  readonly apiCalls?: number;
  readonly items?: boolean;
}

export function withItem(command: Command): Command {
  return command
    .option("--item <index>", "which item; default 0", parseCount)
    .addOption(
      new Option("--status <status>", "how it stands").choices([
        "running",
        "completed",
        "failed",
        "interrupted",
      ]),
    )
    .option("--summary <text>", "what came of it")
    .option("--item-error <text>", "why it failed")
    .option("--duration <duration>", "how long it took", parseDuration)
    .option("--api-calls <count>", "how many calls it took", parseCount)
    .option("--items", "read all items as a JSON list from standard input instead");
}

/** @throws HoldfastError INVALID_ARGUMENT */
export async function itemsOf(options: ItemOptions): Promise<Items> {
  if (options.items === true) return await readItems();
  const { status, summary, itemError, duration, apiCalls } = options;
  const fields = given({ status, summary, error: itemError, durationMs: duration, apiCalls });
  return Object.keys(fields).length === 0 ? [] : [{ index: options.item ?? 0, ...fields }];
}

async function readItems(): Promise<Items> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  try {
    return JSON.parse(text) as Items; // the daemon holds it against its schema
  } catch {
    throw invalidArgument(
      "Standard input is no JSON.",
      'Write a list like [{"index":0,"status":"completed"}].',
    );
  }
}
