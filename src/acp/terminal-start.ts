// What an agent asks for with terminal/create, as a start of a process. What must be known of it later is in its labels.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { OperationInput } from "../protocol/operations.ts";
import type { TerminalParams } from "./terminal-methods.ts";

export type TerminalStart = Pick<
  OperationInput<"process.start">,
  "environment" | "umask" | "nice" | "nofile" | "cwd"
>;

export interface StartChoice {
  /** The key under which Holdfast has the session. */
  readonly session: string;
  readonly start: TerminalStart;
  readonly cwd: string | undefined;
  readonly pty: boolean;
  readonly approvalWaitMs: number;
}

const sessionLabel = "acp-session";
const limitLabel = "acp-output-limit";
const mostLabelCharacters = 255;
const terminalSize = { columns: 120, rows: 30 };
// What a shell would do something with; a name of a program has none of it.
const shellCharacters = /[\s;&|<>$`'"*?(){}[\]~#]/;

export function startInputOf(
  { sessionId, command, args, env, outputByteLimit }: TerminalParams<"terminal/create">,
  { session, start, cwd, pty, approvalWaitMs }: StartChoice,
): OperationInput<"process.start"> {
  const set = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  return {
    ...start,
    command: commandOf(command, args ?? [], cwd),
    ...(cwd === undefined ? {} : { cwd }),
    environment: { ...start.environment, set: { ...start.environment?.set, ...set } },
    // One stream, in the order in which it was written: as a person would see it.
    ...(pty ? { mode: "pty", ...terminalSize } : { mode: "merged" }),
    // Nobody can type into a terminal of ACP: a program that asks must not wait for ever.
    stdin: "empty",
    owner: { session },
    lifetime: "session",
    labels: {
      [sessionLabel]: labelOf(sessionId),
      ...(typeof outputByteLimit === "number" ? { [limitLabel]: String(outputByteLimit) } : {}),
    },
    approvalWaitMs,
    // A daemon that was killed before it answered is asked again; the command must not run twice.
    idempotencyKey: crypto.randomUUID(),
  };
}

/** Was it made by terminal/create of this session? */
export function isTerminalOf(labels: Readonly<Record<string, string>>, sessionId: string): boolean {
  return labels[sessionLabel] === labelOf(sessionId);
}

/** What terminal/create said; undefined: nothing. */
export function limitBytesOf(labels: Readonly<Record<string, string>>): number | undefined {
  const limit = labels[limitLabel];
  return limit === undefined ? undefined : Number(limit);
}

/** Agents give a program with its arguments, or a whole line for a shell. */
function commandOf(
  command: string,
  args: readonly string[],
  cwd = "/",
): OperationInput<"process.start">["command"] {
  const isLine = args.length === 0 && shellCharacters.test(command) && !existsSync(resolve(cwd, command));
  return isLine ? command : [command, ...args];
}

function labelOf(sessionId: string): string {
  if (sessionId.length <= mostLabelCharacters) return sessionId;
  return createHash("sha256").update(sessionId).digest("hex");
}
