// One line of the daemon's log, for whoever reads the file. The writer may be an older or a newer release: what is not known is a field.

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogEntry {
  readonly level: LogLevel;
  /** As written: ISO, UTC. */
  readonly time: string;
  readonly message: string;
  /** Everything else of the line. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Undefined for what is no entry: a line cut short by a kill or a full disk, or somebody else's text. */
export function parseLogLine(line: string): LogEntry | undefined {
  const { level, time, msg, ...fields } = parseObject(line) ?? {};
  const known = logLevels.find((name) => name === level);
  if (known === undefined || typeof time !== "string") return undefined;
  return { level: known, time, message: typeof msg === "string" ? msg : "", fields };
}

export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
