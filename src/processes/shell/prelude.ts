// How a shell is made to tell its state at the end of a command, without a word of the command being changed: it reads a prelude
// first. bash takes it as BASH_ENV and zsh as its .zshenv, so both still run `-c COMMAND`; sh has no such door.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";
import { findPackageFile } from "../../util/package-file.ts";
import { quoteWord } from "../start/resolve-command.ts";

export type ShellKind = "bash" | "zsh" | "sh";

const kinds: Readonly<Record<string, ShellKind>> = { bash: "bash", zsh: "zsh", sh: "sh", dash: "sh" };

/** Undefined: its commands leave nothing to remember. */
export function shellKind(program: string): ShellKind | undefined {
  return kinds[basename(program)];
}

const files: Readonly<Record<ShellKind, string>> = {
  bash: "bash/prelude",
  zsh: "zsh/.zshenv",
  sh: "sh/prelude",
};

/** Copied to where shells of any user's home can read them, and this build's only. */
export function writePreludes(directory: string): void {
  for (const kind of ["bash", "zsh", "sh"] as const) {
    const name = `preludes/prelude.${kind}`;
    const source = findPackageFile(name, import.meta.dirname);
    if (source === undefined) throw new HoldfastError("INTERNAL", `${name} is missing from this package.`);
    mkdirSync(join(directory, kind), { recursive: true, mode: 0o700 });
    const file = join(directory, files[kind]);
    // Whole or not at all: a shell that starts this moment may be reading the one before.
    writeFileSync(`${file}.new`, readFileSync(source), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

export interface PreludeFacts {
  readonly kind: ShellKind;
  readonly program: string;
  readonly command: string;
  /** Where the preludes are. */
  readonly directory: string;
  /** The file that takes the state at the end. */
  readonly endFile: string;
  /** Names the session has set and unset, against a start-up file of the user's that sets them again. */
  readonly keep: readonly string[];
  readonly drop: readonly string[];
  /** Functions and aliases the command names, as the shell reads them. */
  readonly definitions: string;
  /** The file with all functions, for names that only come up while the command runs. */
  readonly functionsFile: string | undefined;
  /** BASH_ENV or ZDOTDIR, if the command would have one. */
  readonly startup: string | undefined;
}

export interface PreludedCommand {
  /** What of the preludes' folder it reads. */
  readonly directory: string;
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Which variable of the user's the prelude stands in for. */
export function startupVariable(kind: ShellKind): "BASH_ENV" | "ZDOTDIR" | undefined {
  return kind === "bash" ? "BASH_ENV" : kind === "zsh" ? "ZDOTDIR" : undefined;
}

export function withPrelude(facts: PreludeFacts): PreludedCommand {
  const { kind, program, command, directory } = facts;
  const told = {
    HOLDFAST_PRELUDE_END: facts.endFile,
    HOLDFAST_PRELUDE_STARTUP: facts.startup,
    HOLDFAST_PRELUDE_KEEP: facts.keep.join(" "),
    HOLDFAST_PRELUDE_DROP: facts.drop.join(" "),
    HOLDFAST_PRELUDE_DEFINITIONS: facts.definitions,
    HOLDFAST_PRELUDE_FUNCTIONS: facts.functionsFile,
  };
  const variables = Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, value]],
    ),
  );
  const prelude = join(directory, files[kind]);
  const own = join(directory, kind);
  if (kind === "bash")
    return {
      directory: own,
      argv: [program, "-c", command],
      variables: { ...variables, BASH_ENV: prelude },
    };
  if (kind === "zsh")
    return { directory: own, argv: [program, "-c", command], variables: { ...variables, ZDOTDIR: own } };
  // A line of its own: sh reads a whole line before it knows the aliases that the prelude makes.
  return { directory: own, argv: [program, "-c", `. ${quoteWord(prelude)}\n${command}`], variables };
}
