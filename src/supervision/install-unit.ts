// Puts the unit of a home in place, and takes it away again: only one that we wrote, for this home.
import { mkdirSync } from "node:fs";
import { HoldfastError } from "../protocol/errors.ts";
import { removeEnablement } from "./enablement.ts";
import { refuseTemporaryHome } from "./temporary-place.ts";
import { readUnit, removeFile, writeUnit } from "./unit-file.ts";
import type { UnitPlan } from "./unit-plan.ts";
import { compareUnit, unitText, type UnitComparison } from "./unit-text.ts";

export interface InstallChoice {
  /** Also over a file that is not ours, and for a home that may vanish. */
  readonly force: boolean;
  /** False: only tell. */
  readonly write: boolean;
}

export interface Installation {
  /** written: there was none. replaced: there was another text. unchanged: it is as it would be. */
  readonly action: "written" | "replaced" | "unchanged";
  readonly previous: UnitComparison;
}

export interface Removal {
  readonly action: "removed" | "missing";
}

/** @throws HoldfastError INVALID_ARGUMENT, UNIT_NOT_OURS, SYSTEM_ERROR */
export function installUnit(plan: UnitPlan, { force, write }: InstallChoice): Installation {
  if (!force) refuseTemporaryHome(plan);
  const previous = compareUnit(readUnit(plan.file), plan);
  if (previous.state === "current") return { action: "unchanged", previous };
  if (!force) refuseOthers(plan, previous);
  if (write) {
    // launchd makes no folder for the file it writes errors to.
    if (plan.manager === "launchd" && plan.root === "")
      mkdirSync(plan.home, { recursive: true, mode: 0o700 });
    writeUnit(plan.file, unitText(plan));
  }
  return { action: previous.state === "missing" ? "written" : "replaced", previous };
}

/** @throws HoldfastError UNIT_NOT_OURS, SYSTEM_ERROR */
export function removeUnit(plan: UnitPlan, { write }: Pick<InstallChoice, "write">): Removal {
  const { state } = compareUnit(readUnit(plan.file), plan);
  if (state === "missing") return { action: "missing" };
  if (state === "foreign") throw notOurs(plan, "it was not written by Holdfast for this home");
  if (write) {
    removeEnablement(plan);
    removeFile(plan.file);
  }
  return { action: "removed" };
}

function refuseOthers(plan: UnitPlan, { state, differences }: UnitComparison): void {
  if (state === "foreign") throw notOurs(plan, "it was not written by Holdfast for this home");
  if (state === "changed") throw notOurs(plan, `it was changed by hand (${differences.join(", ")})`);
}

function notOurs({ file, manager, scope, fullName }: UnitPlan, why: string): HoldfastError {
  const edit =
    manager === "systemd" ? `systemctl ${scope === "user" ? "--user " : ""}edit ${fullName}` : undefined;
  return new HoldfastError("UNIT_NOT_OURS", `${file} stays as it is: ${why}.`, {
    details: { file },
    ...(edit === undefined
      ? {}
      : { hint: `Settings of your own belong beside it (${edit}); install --force replaces it.` }),
  });
}
