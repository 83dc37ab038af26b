// The links by which systemd starts a unit by itself. Its own disable removes them; where no systemd runs, they would be left
// pointing at nothing.
import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { removeFile } from "./unit-file.ts";
import type { UnitPlan } from "./unit-plan.ts";

export function enablementLink({
  file,
  scope,
  fullName,
}: Pick<UnitPlan, "file" | "scope" | "fullName">): string {
  const target = scope === "system" ? "multi-user.target" : "default.target";
  return join(dirname(file), `${target}.wants`, fullName);
}

/** Does systemd start it by itself? */
export function isEnabled(plan: UnitPlan): boolean {
  return plan.manager === "systemd" && isLink(enablementLink(plan));
}

/** Only a link to exactly this unit. */
export function removeEnablement(plan: UnitPlan): void {
  if (plan.manager !== "systemd") return;
  const link = enablementLink(plan);
  try {
    if (!isLink(link)) return;
    // In another root the link names the file as that root sees it.
    const target = resolve(dirname(link), readlinkSync(link));
    if (target !== plan.file && join(plan.root, target) !== plan.file) return;
  } catch {
    return; // not enabled
  }
  removeFile(link);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
