// What a start takes from the session whose shell it uses: where it runs, and with what.
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";
import type { StartInput } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { ProcessContext } from "../context.ts";
import { noFiles, type PreparedCommand } from "./shell-sessions.ts";

export function resolveDirectory(cwd: string | undefined): string {
  const path = cwd ?? homedir();
  if (path === "~" || path.startsWith("~/")) return resolve(homedir(), path.slice(2));
  if (isAbsolute(path)) return path;
  throw new HoldfastError("INVALID_ARGUMENT", `The working directory "${path}" is not an absolute path.`, {
    details: { cwd: path },
  });
}

/** A directory that is named is taken as it is, there or not; only a remembered one may be replaced. */
export async function chooseDirectory(
  { shells }: ProcessContext,
  { cwd, shell }: Pick<StartInput, "cwd" | "shell">,
): Promise<{ readonly cwd: string; readonly notes: readonly string[] }> {
  if (cwd !== undefined || shell === undefined) return { cwd: resolveDirectory(cwd), notes: [] };
  const remembered = await shells.directory(shell.session);
  return { cwd: remembered.cwd ?? resolveDirectory(shell.firstCwd), notes: remembered.notes };
}

/** @throws HoldfastError INVALID_ARGUMENT: the command is a list */
export async function prepareCommand(
  { shells }: ProcessContext,
  { command, shell, environment }: StartInput,
  record: ProcessRecord,
  variables: Readonly<Record<string, string>>,
): Promise<PreparedCommand> {
  if (shell === undefined)
    return { argv: record.argv, env: variables, binaryEnv: [], notes: [], files: noFiles };
  const [program] = record.argv;
  if (typeof command !== "string" || program === undefined) {
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      "A list is executed without a shell: it has no session's state.",
      {
        hint: "Give the command as one text, or leave out `shell`.",
      },
    );
  }
  return await shells.prepare({
    session: shell.session,
    id: record.id,
    command,
    program,
    cwd: record.cwd,
    variables,
    decided: new Set([...Object.keys(environment.set), ...environment.pass, ...environment.remove]),
    isExact: environment.exact,
  });
}
