// An entry of the daemon's log as a person reads it: time, level, message, fields; the stack of an error below it.
import { safeText } from "../util/safe-text.ts";
import type { LogEntry, LogLevel } from "./log-entry.ts";

const reset = "\u001b[0m";
const dim = "\u001b[2m";
const levelColours: Readonly<Record<LogLevel, string>> = {
  trace: dim,
  debug: dim,
  info: "\u001b[32m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
  fatal: "\u001b[1;31m",
};

export interface LogTextOptions {
  readonly isColoured: boolean;
}

/** One line or more, each ended; nothing in it can do harm to a terminal. */
export function renderLogEntry(entry: LogEntry, { isColoured }: LogTextOptions): string {
  const paint = (code: string, text: string): string => (isColoured ? code + text + reset : text);
  const { err, pid: _pid, ...fields } = entry.fields;
  const parts = [
    paint(dim, safeText(entry.time)),
    paint(levelColours[entry.level], entry.level.toUpperCase().padEnd(5)),
    safeText(entry.message),
    ...Object.entries(fields).map(([name, value]) => paint(dim, `${safeText(name)}=`) + valueText(value)),
  ];
  const below = err === undefined ? [] : errorLines(err);
  return `${[parts.join(" "), ...below.map((line) => `    ${line}`)].join("\n")}\n`;
}

/** As it is where it can be read so, else as JSON: a value with spaces must not look like two fields. */
function valueText(value: unknown): string {
  if (typeof value === "string" && /^[^\s"=]+$/.test(value)) return safeText(value);
  return safeText(JSON.stringify(value));
}

function errorLines(error: unknown): string[] {
  const { stack, message, cause } = typeof error === "object" && error !== null ? readError(error) : {};
  if (stack === undefined && message === undefined) return [safeText(JSON.stringify(error))];
  const lines = (stack ?? message ?? "").split("\n").map((line) => safeText(line));
  if (cause === undefined) return lines;
  const [first = "", ...rest] = errorLines(cause);
  return [...lines, `caused by ${first}`, ...rest];
}

function readError(error: object): { stack?: string; message?: string; cause?: unknown } {
  return {
    ...("stack" in error && typeof error.stack === "string" ? { stack: error.stack } : {}),
    ...("message" in error && typeof error.message === "string" ? { message: error.message } : {}),
    ...("cause" in error && error.cause !== undefined ? { cause: error.cause } : {}),
  };
}
