// How staying with a process ended: to the person, and as the exit code.
import type { ProcessExit, ProcessView } from "../protocol/process.ts";
import type { Cli } from "./context.ts";
import { exitCodeOf } from "./format/exit.ts";
import { formatDuration } from "./format/duration.ts";

/** The process has ended, or never began. Its code is ours from here on. */
export function tellEnd(cli: Cli, process: ProcessView, isJson: boolean): void {
  const { exit } = process;
  if (isJson) cli.printJson(process);
  else for (const line of endLines(process, exit)) cli.note(line);
  cli.exitCode = exit === null ? 0 : exitCodeOf(exit);
}

function endLines(process: ProcessView, exit: ProcessExit | null): string[] {
  if (exit?.kind === "spawn_failed") {
    const [program = ""] = process.argv;
    return [
      `holdfast: ${exit.stage === "cwd" ? process.cwd : program}: ${exit.message}`,
      exit.stage === "cwd"
        ? "Choose a directory that exists with --cwd."
        : "Check the name, and PATH where you run this.",
    ];
  }
  if (exit?.kind === "lost") {
    return [
      `holdfast: ${process.id} is lost: it was last seen at ${exit.lastSeen}, and nobody knows how it ended`,
      `What it wrote: holdfast logs ${process.id}`,
    ];
  }
  return stopLines(process);
}

/** Why it did not end by itself: a code of 143 alone does not tell. */
function stopLines({ id, stopReason, limits, stopBy }: ProcessView): string[] {
  switch (stopReason) {
    case "none":
      return [];
    case "timeout":
      return [`holdfast: ${id} was stopped after ${formatDuration(limits.wallMs ?? 0)} (--timeout)`];
    case "user":
      return [
        `holdfast: ${id} was stopped by ${stopBy?.verb ?? "somebody"}${stopBy?.session === undefined ? "" : ` of session ${stopBy.session}`}`,
      ];
    default:
      return [`holdfast: ${id} was stopped (${stopReason})`];
  }
}

/** The process goes on without us. */
export function tellDetached(cli: Cli, process: ProcessView, isJson: boolean): void {
  if (isJson) cli.printJson(process);
  else
    cli.note(
      `\n[left ${process.id}, which goes on; come back with: holdfast attach ${process.name ?? process.id}]`,
    );
}
