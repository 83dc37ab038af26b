// What an exit code means where that is well known: a model that reads "exit 1" of grep should not look for a fault.
import type { ProcessExit } from "../../protocol/process.ts";
import type { StopReason } from "../../protocol/exit.ts";

const byCode: Readonly<Record<number, string>> = {
  126: "found, but cannot be executed",
  127: "command not found",
  130: "interrupted (Ctrl-C)",
  134: "aborted (SIGABRT)",
  137: "killed (SIGKILL), perhaps for lack of memory",
  139: "crashed (SIGSEGV)",
  141: "its reader went away (SIGPIPE)",
  143: "asked to end (SIGTERM)",
};

const noMatch = { 1: "nothing matched: not an error" };

const byProgram: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  grep: noMatch,
  egrep: noMatch,
  fgrep: noMatch,
  zgrep: noMatch,
  rg: noMatch,
  ag: noMatch,
  ack: noMatch,
  diff: { 1: "the files differ: not an error" },
  cmp: { 1: "the files differ: not an error" },
  find: { 1: "some places could not be read" },
  test: { 1: "the condition is false: not an error" },
  "[": { 1: "the condition is false: not an error" },
  timeout: { 124: "its time was up" },
  curl: {
    6: "the host name could not be resolved",
    7: "the connection was refused",
    22: "the server answered with an error status",
    28: "the time was up",
  },
  pgrep: { 1: "no process matched: not an error" },
};

const stopReasons: Readonly<Record<StopReason, string | undefined>> = {
  none: undefined,
  user: "it was asked to end",
  timeout: "its limit of time was reached",
  idle: "it was silent for too long",
  memory: "its limit of memory was reached",
  oom: "the machine ran out of memory",
  output: "it wrote more than it may",
  lifetime: "what it belonged to ended",
  replaced: "another was started in its place",
};

// What stands before the program: variables, and programs that only run another one.
const prefix = /^(?:[A-Za-z_]\w*=\S*|sudo|env|time|command|exec|nice|nohup)$/;

/** The program whose exit code a shell passes on: of the last part of the last line. */
export function decidingProgram(command: string): string | undefined {
  const bare = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, "Q");
  const last = bare.split(/\|\||&&|[;|&\n]/).findLast((part) => part.trim() !== "");
  const word = last
    ?.trim()
    .split(/\s+/)
    .find((candidate) => !prefix.test(candidate));
  return word?.split("/").at(-1);
}

function meaningOfCode(command: string, code: number): string | undefined {
  const program = decidingProgram(command) ?? "";
  const known = Object.hasOwn(byProgram, program) ? byProgram[program]?.[code] : undefined;
  // timeout(1) may stand anywhere before its command.
  return known ?? (code === 124 && /\btimeout\b/.test(command) ? "its time was up" : byCode[code]);
}

/** Undefined where the code says no more than that it is one. */
export function exitMeaning(
  command: string,
  exit: ProcessExit,
  stopReason: StopReason = "none",
): string | undefined {
  const reason = stopReasons[stopReason];
  if (reason !== undefined) return reason;
  if (exit.kind === "exited") return meaningOfCode(command, exit.code);
  if (exit.kind === "signaled") return exit.signal === "SIGKILL" ? byCode[137] : undefined;
  return exit.kind === "lost" ? "nobody saw how it ended: never take it for a success" : undefined;
}

/** As a shell would tell it; undefined where there is none. */
export function exitCodeOf(exit: ProcessExit): number | undefined {
  if (exit.kind === "exited") return exit.code;
  return exit.kind === "signaled" ? 128 + exit.signalNumber : undefined;
}
