// What the tool `terminal` takes.
import { z } from "zod";
import { booleanOf, commandOf, listOf, numberOf, textOf } from "./coerced.ts";
import { ownNames, terminalArguments } from "./familiar-names.ts";

/** Many clients give up after 60 s: an answer must be out before that. */
export const mostWaitSeconds = 45;
export const defaultWaitSeconds = 30;

// Node fires a timer of more than 2^31 - 1 ms at once.
const mostSeconds = 2_147_483;

const notify = z
  .preprocess(
    (value) => {
      if (value === true || value === "true") return "end";
      return value === false || value === "false" ? "off" : value;
    },
    z.enum(["off", "end", "failure"]).optional(),
  )
  .describe("Which end you are told of: end (default), failure, off. You read it with `notifications`.");

const shape = {
  command: commandOf(z.string().min(1).max(1_000_000)).describe("Command line for the shell."),
  workdir: textOf(z.string().min(1).max(4_096).optional()).describe(
    "Absolute directory, for this command alone. Default: where your last command ended; at first the project's.",
  ),
  timeout: numberOf(z.number().min(0).max(mostSeconds).optional()).describe(
    `Seconds to wait for it, default ${defaultWaitSeconds}, at most ${mostWaitSeconds}. It is NOT ended after that: it goes on, and you get its id.`,
  ),
  limit: numberOf(z.number().positive().max(mostSeconds).optional()).describe(
    "Seconds after which it is ended for good. Default: none.",
  ),
  background: booleanOf(z.boolean().optional()).describe(
    "Return its id at once: for servers, watchers, long jobs.",
  ),
  pty: booleanOf(z.boolean().optional()).describe(
    "Give it a terminal: for prompts, passwords and full-screen programs.",
  ),
  notify,
  watch: listOf(z.array(z.string().min(1).max(1_000)).max(20).optional()).describe(
    "Regular expressions (RE2): you are told when a line of its output matches.",
  ),
  stdin: textOf(z.string().max(1_000_000).optional()).describe(
    "Text for its standard input, which is closed after it (with pty: typed, and left open).",
  ),
  name: textOf(z.string().max(63).optional()).describe("A name to use instead of its id."),
  session: textOf(z.string().min(1).max(256).optional()).describe(
    "Key of the session it belongs to. Default: yours; leave it out.",
  ),
};

export const terminalSchema = z.object(shape);
export type TerminalInput = z.output<typeof terminalSchema>;

export function readTerminalArguments(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return ownNames(given, terminalArguments);
}
