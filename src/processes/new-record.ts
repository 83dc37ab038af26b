// The record of a process that has not run yet, whether it was just asked for or is made again from its directory.
import type { ProcessRecord } from "../store/index.ts";

const notYetRun = {
  state: "starting",
  pid: null,
  childStart: null,
  startedAt: null,
  endedAt: null,
  exit: null,
  stopRequester: null,
  outputBytes: 0,
  outputRemoved: false,
  endCwd: null,
} as const satisfies Partial<ProcessRecord>;

export function newRecord(asked: Omit<ProcessRecord, keyof typeof notYetRun>): ProcessRecord {
  return { ...asked, ...notYetRun };
}
