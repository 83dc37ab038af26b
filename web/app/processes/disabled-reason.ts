// What can be done with a process as it is now: why not, in words, or undefined. Whoever shows a button asks here.
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessDetail } from "#protocol/process.ts";

type Reason = string | undefined;

function hasEnded({ state }: Pick<ListedProcess, "state">): Reason {
  return state === "ended" ? "It has ended" : undefined;
}

export const disabledReason = {
  stop: hasEnded,
  signal: (process: Pick<ListedProcess, "state">): Reason =>
    process.state === "starting" ? "It is still being started" : hasEnded(process),
  write: (process: Pick<ProcessDetail, "state" | "stdin">): Reason =>
    hasEnded(process) ?? (process.stdin === "closed" ? "Its standard input is closed" : undefined),
  remove: ({ state }: Pick<ListedProcess, "state">): Reason =>
    state === "ended" ? undefined : "It has not ended: stop it first",
  replay: ({ mode }: Pick<ListedProcess, "mode">): Reason =>
    mode === "pty" ? undefined : "It was started without a terminal",
  readOutput: ({ outputRemoved }: Pick<ListedProcess, "outputRemoved">): Reason =>
    outputRemoved ? "Its output is no longer kept" : undefined,
  stopAny: (processes: readonly ListedProcess[]): Reason => {
    if (processes.length === 0) return "Select processes first";
    return processes.every(hasEnded) ? "All that are selected have ended" : undefined;
  },
  removeAny: (processes: readonly ListedProcess[]): Reason => {
    if (processes.length === 0) return "Select processes first";
    return processes.some(hasEnded) ? undefined : "None that is selected has ended";
  },
} as const;
