// Processes that wait for somebody to type. A watch of the kind `input` tells of each wait; what was written since means that it went on.
import type { ListedProcess } from "#protocol/control.ts";
import type { NoticeWithText } from "#protocol/notices.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import type { ProcessMap } from "~/api/processes.ts";

export interface WaitingProcess {
  readonly process: ListedProcess;
  readonly since: string;
  readonly isPassword: boolean;
  /** What stands before its cursor. */
  readonly prompt: string;
}

/** `notices`: newest first. `usage` knows how much each has written. */
export function waitingForInput(
  processes: ProcessMap,
  notices: readonly NoticeWithText[],
  usage: ReadonlyMap<string, ProcessUsage>,
): readonly WaitingProcess[] {
  const waiting: WaitingProcess[] = [];
  const seen = new Set<string>();
  for (const { kind, processId, at, data } of notices) {
    if (kind !== "process.waits-for-input" || processId === null || seen.has(processId)) continue;
    seen.add(processId);
    const process = processes.get(processId);
    const written = usage.get(processId)?.outputBytes;
    if (process === undefined || process.state === "ended") continue;
    if (written === undefined || written > Number(data["offset"])) continue;
    const prompt = typeof data["line"] === "string" ? data["line"] : "";
    waiting.push({ process, since: at, isPassword: data["waits"] === "password", prompt });
  }
  return waiting;
}
