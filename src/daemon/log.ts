// The daemon's own log: JSON lines in the home. Never contains environment values, arguments or output of processes.
import { closeSync, openSync } from "node:fs";
import { pino, type Logger } from "pino";

const standardError = 2;

/** On a home that cannot be written, whoever watches standard error reads it. */
function destinationOf(file: string): string | number {
  try {
    closeSync(openSync(file, "a", 0o600));
    return file;
  } catch {
    return standardError;
  }
}

export function openLog(file: string, level: string): Logger {
  return pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: destinationOf(file), mode: 0o600, sync: true }),
  );
}
