// Which entries of the daemon's log are wanted.
import { isAtLeast, type LogEntry, type LogLevel } from "../../home/index.ts";
import { processIdPrefix, shortestPrefix } from "../../protocol/id-prefix.ts";

export interface LogFilter {
  /** The least severe that is wanted. */
  readonly level?: LogLevel;
  readonly session?: string;
  /** Id of a process, or the beginning of one. */
  readonly process?: string;
}

export function isWanted({ level, fields }: LogEntry, filter: LogFilter): boolean {
  if (filter.level !== undefined && !isAtLeast(level, filter.level)) return false;
  if (filter.session !== undefined && fields["session"] !== filter.session) return false;
  return filter.process === undefined || processesOf(fields).some((id) => isSameId(id, filter.process ?? ""));
}

function processesOf({ processId, processIds }: LogEntry["fields"]): string[] {
  const several = Array.isArray(processIds) ? (processIds as unknown[]) : [];
  return [processId, ...several].filter((id) => typeof id === "string");
}

/** Either may be the beginning of the other: requests are logged with what their caller typed. */
function isSameId(one: string, other: string): boolean {
  const [short = "", long = ""] = [bareId(one), bareId(other)].toSorted((a, b) => a.length - b.length);
  return one === other || (short.length >= shortestPrefix && long.startsWith(short));
}

function bareId(id: string): string {
  return id.startsWith(processIdPrefix) ? id.slice(processIdPrefix.length) : id;
}
