// How a process is and how it ended: in words for people, as a number for shells.
import type { ProcessExit, ProcessView } from "../../protocol/process.ts";
import type { Colour } from "./style.ts";

// As a shell says it: found but not executable, not found. 125 is what docker, env and timeout leave to themselves.
const notExecutable = 126;
const notFound = 127;
const lostCode = 125;
const noSuchFile = 2; // ENOENT

export function exitText(exit: ProcessExit): string {
  switch (exit.kind) {
    case "exited":
      return `exited ${exit.code}`;
    case "signaled":
      return `ended by ${exit.signal}${exit.coreDumped ? " (core dumped)" : ""}`;
    case "spawn_failed":
      return "not started";
    case "lost":
      break;
  }
  return "lost";
}

export function stateText({ state, exit, stopReason }: ProcessView): string {
  if (exit === null) return state;
  return stopReason === "none" || stopReason === "user" ? exitText(exit) : `${exitText(exit)}, ${stopReason}`;
}

export function stateColour({ state, exit }: ProcessView): Colour | undefined {
  if (state !== "ended") return state === "running" ? "green" : "yellow";
  return exit?.kind === "exited" && exit.code === 0 ? "dim" : "red";
}

/** What `run` and `attach` pass on: the code, or 128 + signal. */
export function exitCodeOf(exit: ProcessExit): number {
  switch (exit.kind) {
    case "exited":
      return exit.code;
    case "signaled":
      return 128 + exit.signalNumber;
    case "spawn_failed":
      return exit.stage === "exec" && exit.errno === noSuchFile ? notFound : notExecutable;
    case "lost":
      break;
  }
  return lostCode;
}
