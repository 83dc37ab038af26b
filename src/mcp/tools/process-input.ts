// What the tool `process` takes.
import { z } from "zod";
import { booleanOf, listOf, numberOf, textOf } from "./coerced.ts";
import { ownNames, processActions, processArguments } from "./familiar-names.ts";
import { defaultWaitSeconds, mostWaitSeconds } from "./terminal-input.ts";

export const waitConditions = ["exit", "match", "port", "http", "idle"] as const;

const count = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER);

const shape = {
  action: textOf(z.string().min(1)).describe(
    [
      "list: your processes.",
      "poll: its state and what it wrote since your last look.",
      "log: pages of its output.",
      "wait: until it ends, or `for`.",
      "kill: end it with all its descendants.",
      "write: type `data` or `keys`. submit: the same, then Enter. close: end of its input.",
      "screen: what a full-screen program shows now.",
      "search: lines of its whole output that match `pattern`.",
      "signal: send `signal`.",
      "rename: give it `name`.",
      "close_view: close the person's tabs that show it.",
    ].join(" "),
  ),
  id: textOf(z.string().min(1).max(128).optional()).describe(
    "Its id (the first characters suffice) or name. Needed for all but list.",
  ),
  data: textOf(z.string().max(1_000_000).optional()).describe("write, submit: text to type."),
  keys: listOf(z.array(z.string().min(1).max(40)).max(200).optional()).describe(
    "write, submit: keys by name, after the text: enter, up, escape, tab, ctrl-c, f5, pagedown …",
  ),
  secret: booleanOf(z.boolean().optional()).describe(
    "write, submit: refuse unless the terminal hides what is typed.",
  ),
  timeout: numberOf(z.number().positive().optional()).describe(
    `wait: seconds, default ${defaultWaitSeconds}, at most ${mostWaitSeconds}. The process is left alone.`,
  ),
  for: textOf(z.enum(waitConditions).optional()).describe("wait: for what. Default: exit."),
  pattern: textOf(z.string().min(1).max(1_000).optional()).describe(
    "wait for match, search: regular expression (RE2).",
  ),
  port: numberOf(z.int().min(1).max(65_535).optional()).describe(
    "wait for port: until it accepts connections.",
  ),
  url: textOf(z.string().min(1).max(2_000).optional()).describe("wait for http: until it answers below 500."),
  idle: numberOf(z.number().positive().max(mostWaitSeconds).optional()).describe(
    "wait for idle: seconds without output. Default: 2.",
  ),
  offset: numberOf(count.optional()).describe("log, search: byte offset to begin at: a cursor of an answer."),
  line: numberOf(z.int().positive().optional()).describe("log: line to begin at; the first is 1."),
  limit: numberOf(z.int().positive().max(100_000).optional()).describe(
    "log: lines, default 200 (the last ones, unless you say where to begin). search: matches, default 20.",
  ),
  context: numberOf(z.int().min(0).max(20).optional()).describe(
    "search: lines around each match. Default: 2.",
  ),
  signal: textOf(z.string().min(1).max(20).optional()).describe("signal: INT, TERM, HUP, USR1 …"),
  force: booleanOf(z.boolean().optional()).describe("kill: at once, without asking it to end first."),
  name: textOf(z.string().max(63).optional()).describe("rename: the new name."),
  all: booleanOf(z.boolean().optional()).describe("list: also those that others share with you."),
  session: textOf(z.string().min(1).max(256).optional()).describe(
    "Key of another session than yours; leave it out.",
  ),
};

export const processSchema = z.object(shape);
export type ProcessInput = z.output<typeof processSchema>;

/** Where the familiar name of an action says what to wait for. */
const waitsNamed: ReadonlyMap<string, (typeof waitConditions)[number]> = new Map([
  ["waitforlog", "match"],
  ["waitforport", "port"],
  ["waitforexit", "exit"],
]);

function waitOf(named: Readonly<Record<string, unknown>>): string | undefined {
  if (named["for"] !== undefined || typeof named["action"] !== "string") return undefined;
  const asked = waitsNamed.get(named["action"].toLowerCase().replaceAll(/[^a-z]/g, ""));
  if (asked !== undefined) return asked;
  if (named["port"] !== undefined) return "port";
  if (named["url"] !== undefined) return "http";
  if (named["idle"] !== undefined) return "idle";
  return named["pattern"] === undefined ? undefined : "match";
}

export function readProcessArguments(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = ownNames(given, processArguments);
  const condition = waitOf(named);
  return condition === undefined ? named : { ...named, for: condition };
}

export const actionList = processActions.join(", ");
