// Processes that wait for somebody to type: those that are seen to read a line from their terminal, and those of which a watch of the kind
// `input` has told, which also guesses. What was written since means that it went on.
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

/** The longest wait first. `notices`: newest first. `usage` knows what each has written, and who reads. */
export function waitingForInput(
  processes: ProcessMap,
  notices: readonly NoticeWithText[],
  usage: ReadonlyMap<string, ProcessUsage>,
): readonly WaitingProcess[] {
  const waiting = new Map<string, WaitingProcess>();
  const add = (id: string, facts: Omit<WaitingProcess, "process">): void => {
    const process = processes.get(id);
    if (process !== undefined && process.state !== "ended") waiting.set(id, { process, ...facts });
  };
  for (const { id, waits, lastLine } of usage.values()) {
    // A daemon that was set back to an older release, with the page still open, tells none.
    if (waits) add(id, { since: waits.since, isPassword: waits.for === "password", prompt: lastLine });
  }
  const told = new Set<string>();
  for (const { kind, processId, at, data } of notices) {
    if (kind !== "process.waits-for-input" || processId === null || told.has(processId)) continue;
    told.add(processId);
    const written = usage.get(processId)?.outputBytes;
    if (written === undefined || written > Number(data["offset"])) continue;
    const prompt = typeof data["line"] === "string" ? data["line"] : "";
    // It has seen the wait begin.
    add(processId, { since: at, isPassword: data["waits"] === "password", prompt });
  }
  return [...waiting.values()].toSorted((one, other) => one.since.localeCompare(other.since));
}
