// The states of a process and every move between them. Nothing else in the daemon decides a state.
import { HoldfastError } from "../protocol/errors.ts";
import type { ProcessState } from "../protocol/process.ts";

export type StateEvent =
  /** The child runs. */
  | "started"
  /** The child could not be started. */
  | "start_failed"
  | "stop_requested"
  /** A stop that was only to ask has left something running. */
  | "stop_given_up"
  /** Its exit is known, or known to be lost. */
  | "ended";

type Row = Readonly<Record<StateEvent, ProcessState | "refused">>;

// Read a row as: in this state, when that happens, it becomes …
const table: Readonly<Record<ProcessState, Row>> = {
  starting: {
    started: "running",
    start_failed: "ended",
    stop_requested: "stopping",
    stop_given_up: "refused",
    ended: "ended",
  },
  running: {
    started: "running", // adopted again after a restart of the daemon
    start_failed: "refused",
    stop_requested: "stopping",
    stop_given_up: "running", // two stops that only ask may give up one after the other
    ended: "ended",
  },
  stopping: {
    started: "stopping", // asked to stop before its start was told
    start_failed: "ended",
    stop_requested: "stopping",
    stop_given_up: "running",
    ended: "ended",
  },
  ended: {
    started: "ended", // a start told after its own end: the end is the newer truth
    start_failed: "refused",
    stop_requested: "refused",
    stop_given_up: "ended",
    ended: "ended",
  },
};

export const processStates = Object.keys(table) as ProcessState[];
export const stateEvents = Object.keys(table.starting) as StateEvent[];

/** @throws HoldfastError INVALID_TRANSITION */
export function nextState(from: ProcessState, event: StateEvent): ProcessState {
  const to = table[from][event];
  if (to !== "refused") return to;
  throw new HoldfastError("INVALID_TRANSITION", `A process that is ${from} cannot take "${event}".`, {
    details: { from, event },
  });
}
