// The daemon's own log: JSON lines in the home. Never contains environment values, arguments or output of processes.
import { pino, type Logger } from "pino";

export function openLog(file: string, level: string): Logger {
  return pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: file, mode: 0o600, sync: true }),
  );
}
