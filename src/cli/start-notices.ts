// What a start says about what is to be told of it.
import { Option, type Command } from "commander";
import type { OperationInput } from "../protocol/operations.ts";
import type { Notify } from "../protocol/process.ts";
import { parsePositiveDuration } from "./parse/duration.ts";
import { given } from "./parse/given.ts";
import { collectText } from "./parse/key-value.ts";

export interface StartNoticeOptions {
  readonly watch?: readonly string[];
  readonly watchRegex?: readonly string[];
  readonly notify?: Notify;
  readonly progress?: number;
}

export function withStartNotices(command: Command): Command {
  return command
    .option("--watch <text>", "tell its session of lines with this text; repeat for more", collectText)
    .option("--watch-regex <pattern>", "the same for lines with a match of this pattern (RE2)", collectText)
    .addOption(
      new Option(
        "--notify [when]",
        "tell when it ends, or only when it fails: its session, or with -d you, by bell and desktop",
      )
        .choices(["end", "failure", "off"])
        .preset("end"),
    )
    .option("--progress <duration>", "tell its session so often that it still runs", parsePositiveDuration);
}

type Told = Pick<OperationInput<"process.start">, "watches" | "notify" | "progress">;

export function startNoticesOf({ watch, watchRegex, notify, progress }: StartNoticeOptions): Told {
  return {
    watches: [
      ...(watch ?? []).map((text) => ({ kind: "text" as const, text })),
      ...(watchRegex ?? []).map((regex) => ({ kind: "regex" as const, regex })),
    ],
    ...given({ notify, progress: progress === undefined ? undefined : { everyMs: progress } }),
  };
}
