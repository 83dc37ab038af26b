// Confinement of a child (CONTRACT.md §9): how it is asked for, read back from `spec`, and what it means when it cannot be had.
import { execFile } from "node:child_process";
import { isAbsolute, normalize } from "node:path";
import { constants } from "node:os";
import { getSystemErrorMessage } from "node:util";
import { HoldfastError } from "../protocol/errors.ts";
import type { StartStage } from "../protocol/exit.ts";
import { startStageNamed } from "./numbers.ts";
import { escapeValue, textValue, textValues, type TextLines } from "./text-format.ts";

/** Paths, absolute and by their real names. */
export interface Confinement {
  /** May be written, with what is below. */
  readonly write: readonly string[];
  /** Are not there for the child; those that may be written too are empty ones of its own. */
  readonly hide: readonly string[];
  /** Are seen although they lie inside something hidden. */
  readonly show: readonly string[];
}

/** The minor version of the contract that has it: an older launcher would start the child unconfined. */
export const confinementMinor = 1;

const mostPaths = 256;
const keys = { write: "confine_write", hide: "confine_hide", show: "confine_show" } as const;
const lists = ["write", "hide", "show"] as const;

/** @throws HoldfastError INVALID_ARGUMENT */
export function confinementLines(confinement: Confinement | undefined): string {
  if (confinement === undefined) return "";
  const lines = lists.flatMap((list) => confinement[list].map((path) => lineOf(keys[list], path)));
  if (lines.length > mostPaths)
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      `A confinement names ${lines.length} paths; ${mostPaths} is the most.`,
    );
  return `confine on\n${lines.join("")}`;
}

function lineOf(key: string, path: string): string {
  const isPlain = isAbsolute(path) && normalize(path) === path && path !== "/" && !path.endsWith("/");
  if (isPlain && !path.includes("\0")) return `${key} ${escapeValue(path)}\n`;
  throw new HoldfastError(
    "INVALID_ARGUMENT",
    `${JSON.stringify(path)} cannot be part of a confinement: it takes an absolute path other than /, without "." and "..".`,
  );
}

/** As a run was started; undefined: not confined. */
export function confinementOf(lines: TextLines): Confinement | undefined {
  if (textValue(lines, "confine") !== "on") return undefined;
  return {
    write: textValues(lines, keys.write),
    hide: textValues(lines, keys.hide),
    show: textValues(lines, keys.show),
  };
}

const { EPERM, ENOSPC, EACCES, ENOSYS, EOPNOTSUPP } = constants.errno;

/** What is missing, in words; undefined for a start that failed at another step. */
export function confinementLack(stage: StartStage, errno: number): string | undefined {
  const reason = getSystemErrorMessage(-errno);
  switch (stage) {
    case "landlock":
      if (errno === ENOSYS) return "the kernel has no Landlock, or one before Linux 6.12 (ABI 6)";
      if (errno === EOPNOTSUPP) return "Landlock was switched off when the kernel was booted (lsm=)";
      return `Landlock refused: ${reason}`;
    case "namespace":
      return [EPERM, ENOSPC, EACCES].includes(errno)
        ? `user namespaces are forbidden to this user (${reason}); see kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns, user.max_user_namespaces`
        : `no mount namespace can be made: ${reason}`;
    case "mount":
      return errno === EPERM || errno === EACCES
        ? `mounting is forbidden in a user namespace (${reason}); see kernel.apparmor_restrict_unprivileged_userns`
        : `what is to be hidden or written cannot be mounted: ${reason}`;
    case "seccomp":
      return `no seccomp filter can be set: ${reason}`;
    default:
      return undefined;
  }
}

const exitNo = 1;

/** Tries it in a process of its own. Undefined: children can be confined here; else what is missing. */
export async function findConfinementLack(binary: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; answer: string }>();
  execFile(binary, ["confine"], { env: {} }, (error, stdout) =>
    resolve({ code: error?.code ?? 0, answer: stdout }),
  );
  const { code, answer } = await promise;
  if (code === 0) return undefined;
  const [, name = "", errno = ""] = /^no ([a-z]+) (\d+)\n$/.exec(answer) ?? [];
  const stage = startStageNamed(name);
  const lack = code === exitNo && stage !== undefined ? confinementLack(stage, Number(errno)) : undefined;
  return lack ?? `keeper confine ended with ${String(code)}`;
}

export function confinementUnavailable(
  lack: string,
  details: Readonly<Record<string, unknown>>,
  hint?: string,
): HoldfastError {
  return new HoldfastError(
    "CONFINEMENT_UNAVAILABLE",
    `The command cannot be confined here: ${lack}. Nothing was started.`,
    { details: { ...details, lack }, ...(hint === undefined ? {} : { hint }) },
  );
}
