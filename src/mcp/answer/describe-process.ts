// One process in one line, and as data.
import { quoteWord, safePath } from "../../protocol/quoted-text.ts";
import type { ProcessExit, ProcessView } from "../../protocol/process.ts";
import { exitCodeOf, exitMeaning } from "./exit-meaning.ts";

const mostCommandCharacters = 200;

/** On one line, and short enough for a list. */
export function commandText({ command }: ProcessView): string {
  return quoteWord(command, mostCommandCharacters);
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function exitText(exit: ProcessExit): string {
  switch (exit.kind) {
    case "exited":
      return `exit ${exit.code}`;
    case "signaled":
      return `killed by ${exit.signal}${exit.coreDumped ? ", core dumped" : ""}`;
    case "spawn_failed":
      return `could not be started (${exit.stage}: ${quoteWord(exit.message, mostCommandCharacters)})`;
    default:
      return "lost";
  }
}

/** `exit 1 (nothing matched: not an error)`, or `running`. */
export function stateText(process: ProcessView): string {
  if (process.exit === null) return process.state;
  const meaning = exitMeaning(process.command, process.exit, process.stopReason);
  return meaning === undefined ? exitText(process.exit) : `${exitText(process.exit)} (${meaning})`;
}

export function processLine(process: ProcessView): string {
  const name = process.name === null ? "" : ` ${process.name}`;
  const since = process.state === "ended" ? "after" : "for";
  return `${process.id}${name}: ${stateText(process)} ${since} ${durationText(process.uptimeMs)}: \`${commandText(process)}\``;
}

/** Where it is, or was when it ended: a command may leave its shell elsewhere than it began. */
export function workdirOf({ cwd, endCwd }: ProcessView): string {
  return endCwd ?? cwd;
}

export function processFacts(process: ProcessView): Record<string, unknown> {
  const { exit } = process;
  const meaning = exit === null ? undefined : exitMeaning(process.command, exit, process.stopReason);
  return {
    id: process.id,
    ...(process.name === null ? {} : { name: process.name }),
    state: process.state,
    ...(exit === null ? {} : { exit: exitText(exit), exitCode: exitCodeOf(exit) ?? null }),
    ...(meaning === undefined ? {} : { meaning }),
    ...(process.stopReason === "none" ? {} : { stopReason: process.stopReason }),
    workdir: safePath(workdirOf(process)),
    uptimeMs: process.uptimeMs,
  };
}
