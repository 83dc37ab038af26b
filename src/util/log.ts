// Where a module tells what happens, whoever keeps it: the daemon's file, or the program that a daemon is embedded in.

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  /** False: whoever would tell it may save the work. */
  isEnabled(level: "debug"): boolean;
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  /** With the error itself in the field `err`. */
  error(fields: LogFields, message: string): void;
  /** Why what was told does not reach its reader, in words. */
  readonly problems: readonly string[];
}

/** For a program that wants to hear of problems only. */
export function problemLog(onProblem: (message: string, cause?: unknown) => void): Log {
  const tell = ({ err }: LogFields, message: string): void => onProblem(message, err);
  return {
    isEnabled: () => false,
    debug: () => undefined,
    info: () => undefined,
    warn: tell,
    error: tell,
    problems: [],
  };
}
