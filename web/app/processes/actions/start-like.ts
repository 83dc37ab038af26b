// A start that repeats another one, as far as what is known of it goes. Values of its environment are never stored, so they cannot be
// repeated; whether its input was open neither.
import type { OperationInput } from "#protocol/operations.ts";
import type { ProcessDetail } from "#protocol/process.ts";
import { terminalKeyOf } from "#protocol/terminal-key.ts";

export interface StartLikeOptions {
  /** For one without a terminal, which has its input open anyway. */
  readonly isStdinOpen: boolean;
}

export function startLike(
  detail: ProcessDetail,
  { isStdinOpen }: StartLikeOptions,
): OperationInput<"process.start"> {
  const { name, cwd, mode, labels, owner, lifetime, limits, kind, notify, columns, rows, state } = detail;
  const isTerminal = mode === "pty";
  return {
    command: commandOf(detail),
    cwd,
    mode,
    stdin: isTerminal || isStdinOpen ? "open" : "empty",
    labels,
    owner,
    lifetime,
    limits,
    kind,
    notify,
    ...(isTerminal && columns > 0 && rows > 0 ? { columns, rows } : {}),
    ...(detail.confined ? { confine: confineOf(detail) } : {}),
    // A name belongs to one living process: its present owner gives it up first.
    ...(name === null ? {} : { name, replace: state !== "ended" }),
  };
}

/**
 * For a terminal that was opened by a key: it is opened again, so that a key stays that of one terminal and their limit holds.
 * `newKey` is for one whose key another living one has by now. Undefined for every other process.
 */
export function openLike(
  detail: ProcessDetail,
  known: Iterable<Pick<ProcessDetail, "id" | "state" | "labels">>,
  newKey: string,
): OperationInput<"terminal.open"> | undefined {
  const key = terminalKeyOf(detail);
  if (key === undefined) return undefined;
  const { id, argv, cwd, columns, rows, state } = detail;
  const isTaken = [...known].some(
    (other) => other.id !== id && other.state !== "ended" && terminalKeyOf(other) === key,
  );
  const shell = argv[0];
  return {
    key: isTaken ? newKey : key,
    cwd,
    columns,
    rows,
    restart: state !== "ended" && !isTaken,
    ...(shell === undefined ? {} : { shell }),
  };
}

/** What it could write, it can write again; where that is no longer known, as little as possible. */
function confineOf({ confinement }: ProcessDetail): NonNullable<OperationInput<"process.start">["confine"]> {
  return confinement === null ? true : { write: confinement.write };
}

/** As it was typed, where a shell ran it; else the words as they were given. */
function commandOf({ argv, command }: ProcessDetail): string | string[] {
  return argv.length === 3 && argv[1] === "-c" && argv[2] === command ? command : argv;
}

/** Variables the first one had and the second one lacks. */
export function missingNames(before: ProcessDetail, after: ProcessDetail): string[] {
  const has = new Set(after.environmentNames);
  return before.environmentNames.filter((name) => !has.has(name));
}
