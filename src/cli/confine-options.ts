// How a start is asked to be confined.
import { resolve } from "node:path";
import type { Command } from "commander";
import type { ConfineInput } from "../protocol/process.ts";
import { collectText } from "./parse/key-value.ts";

export interface ConfineOptions {
  readonly confine?: boolean;
  readonly confineWrite?: readonly string[];
}

export function withConfine(command: Command): Command {
  return command
    .option(
      "--confine",
      "it and all it starts may write only in its directory, or where the configuration says, and in temporary ones; Linux",
    )
    .option("--confine-write <path>", "the same, and it may write here too; repeat for more", collectText);
}

export function confineOf({ confine, confineWrite }: ConfineOptions): { confine?: ConfineInput } {
  if (confineWrite !== undefined) return { confine: { write: confineWrite.map((path) => resolve(path)) } };
  return confine === true ? { confine: true } : {};
}
