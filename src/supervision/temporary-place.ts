// A unit outlives the shell it was installed from, and the machine's next start: what it names must do so too.
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import type { UnitPlan } from "./unit-plan.ts";

const emptiedFolders = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/private/tmp", "/private/var/folders"];

/** The folder from which this path may vanish by itself; undefined when it stays. */
export function temporaryPlaceOf(
  path: string,
  folders: readonly string[] = temporaryFolders(),
): string | undefined {
  const places = [path, realPath(path)];
  const folder = folders.find((each) =>
    places.some((place) => place === each || place.startsWith(`${each}/`)),
  );
  // npx keeps packages in a cache that npm empties.
  return (
    folder ?? (path.includes("/_npx/") ? path.slice(0, path.indexOf("/_npx/") + "/_npx".length) : undefined)
  );
}

/** @throws HoldfastError INVALID_ARGUMENT */
export function refuseTemporaryHome({ home }: UnitPlan): void {
  const place = temporaryPlaceOf(home);
  if (place === undefined) return;
  throw new HoldfastError(
    "INVALID_ARGUMENT",
    `The home, ${home}, lies in ${place}, which is emptied from time to time.`,
    { hint: "Set HOLDFAST_HOME to a directory that stays, or say --force.", details: { home, place } },
  );
}

/** A remark on the programs that a unit runs, when they may vanish. */
export function temporaryProgram({ command }: UnitPlan): string | undefined {
  const [node = "", program = ""] = command;
  const found = [program, node].find((path) => temporaryPlaceOf(path) !== undefined);
  return found === undefined
    ? undefined
    : `The unit runs ${found}, which lies in ${temporaryPlaceOf(found)} and may vanish: install Holdfast where it stays.`;
}

function temporaryFolders(): string[] {
  return [...emptiedFolders, tmpdir(), realPath(tmpdir())];
}

/** Of the part that exists: a home may not be made yet. */
function realPath(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return realpathSync(folder) + path.slice(folder.length);
    } catch {
      if (folder === dirname(folder)) return path;
    }
  }
}
