// An error as the log may have it: what it is, where it came from, and why; never what a caller sent. Errors carry more than their
// message: arguments of a program, values that were refused, a piece of the JSON that could not be read.
import type { ConfigProblem } from "../../config/index.ts";
import { errorRegistry, isHoldfastError, type HoldfastError } from "../../protocol/errors.ts";

export interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const mostMessageCharacters = 2_000;
const mostFrames = 30;
const mostCauses = 5;

export function safeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "no error was thrown, but a value" };
  const { name, cause } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const message = safeMessage(error, code).slice(0, mostMessageCharacters);
  const frames = framesOf(error);
  return {
    type: name,
    ...(code === undefined ? {} : { code }),
    message,
    ...(frames.length === 0 ? {} : { stack: [`${name}: ${message}`, ...frames].join("\n") }),
    ...(cause === undefined || depth === mostCauses ? {} : { cause: safeError(cause, depth + 1) }),
  };
}

/** Only the messages that may quote what was received are changed. */
function safeMessage(error: Error, code: string | undefined): string {
  if (isHoldfastError(error)) return ownMessage(error);
  // JSON.parse and regular expressions quote the text they could not read.
  if (error instanceof SyntaxError) return "a text that cannot be read";
  // Zod: field names and values of the caller.
  if ("issues" in error && Array.isArray(error.issues))
    return `${error.issues.length} fields are not as they should be`;
  // child_process: "Command failed: " with all its arguments, and what it said.
  if (/^Command failed\b/.test(error.message)) return "a command failed";
  // Node: "The argument 'path' must be … Received 'the value'".
  if (code?.startsWith("ERR_") === true) return error.message.replace(/\s*\bReceived\b.*$/s, "");
  return error.message;
}

/** Of our errors, those about what a caller or a file asked for say what it was. */
function ownMessage(error: HoldfastError): string {
  const { category, summary } = errorRegistry[error.code];
  if (error.code === "CONFIG_INVALID") return `${summary} ${placesOf(error.details["problems"])}`;
  if (error.code === "INTERNAL" && error.cause instanceof Error) return summary; // its message repeats that of its cause
  return category === "invalid" || category === "conflict" ? summary : error.message;
}

function placesOf(problems: unknown): string {
  if (!Array.isArray(problems)) return "";
  // Of the configuration, and only their places: a value may be a secret on a wrong line.
  return (problems as ConfigProblem[])
    .map(({ file, line, key }) =>
      [file, ...(line === null ? [] : [line]), ...(key === "" ? [] : [key])].join(":"),
    )
    .join(", ");
}

/** The lines of the stack without its first ones, which repeat the message. */
function framesOf(error: Error): string[] {
  const lines = error.stack?.split("\n") ?? [];
  return lines.filter((line) => /^ {4}at /.test(line)).slice(0, mostFrames);
}
