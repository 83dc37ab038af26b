// From what a caller typed to what is executed, and how it is shown.
import { access, constants } from "node:fs/promises";
import { basename } from "node:path";

export interface ResolvedCommand {
  readonly argv: readonly string[];
  /** As typed, or quoted so that it could be typed. */
  readonly shown: string;
}

// These take `-c COMMAND` and mean the same by it; fish, csh and nu do not.
const plainShells = new Set(["bash", "zsh", "sh", "dash", "ksh", "mksh"]);
const fallbackShells = ["/bin/bash", "/usr/bin/bash", "/bin/sh"];

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false; // absent or not ours to run: the next candidate is tried
  }
}

/** $SHELL if a command string means there what it says, else bash, else sh. */
export async function chooseShell(shellVariable: string | undefined): Promise<string> {
  const own = shellVariable !== undefined && plainShells.has(basename(shellVariable)) ? [shellVariable] : [];
  for (const candidate of [...own, ...fallbackShells]) if (await isExecutable(candidate)) return candidate;
  return "/bin/sh"; // the start then fails and says that there is none
}

/** One word as a POSIX shell reads it back. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export async function resolveCommand(
  command: string | readonly string[],
  shellVariable: string | undefined,
): Promise<ResolvedCommand> {
  if (typeof command !== "string") return { argv: command, shown: command.map(quoteWord).join(" ") };
  return { argv: [await chooseShell(shellVariable), "-c", command], shown: command };
}
