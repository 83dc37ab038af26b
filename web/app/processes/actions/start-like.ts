// A start that repeats another one, as far as what is known of it goes. Values of its environment are never stored, so they cannot be
// repeated; whether its input was open neither.
import type { OperationInput } from "#protocol/operations.ts";
import type { ProcessDetail } from "#protocol/process.ts";

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
