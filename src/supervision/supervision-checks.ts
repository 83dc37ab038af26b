// What `holdfast doctor` says about the place and the service manager of a home. Needs no daemon: a home it cannot run in is one of
// the things to be told.
import { isHoldfastError } from "../protocol/errors.ts";
import { ownAccount } from "./accounts.ts";
import type { Check } from "./check.ts";
import { checkFileSystem } from "./file-system-check.ts";
import { checkLinger } from "./linger-check.ts";
import { checkUnits, findUnits, type UnitQuestion } from "./unit-check.ts";

export async function checkSupervision(question: UnitQuestion): Promise<Check[]> {
  const isLinux = process.platform === "linux";
  return [...checkFileSystem(question.home), ...(await checkManager(question, isLinux))];
}

async function checkManager(question: UnitQuestion, isLinux: boolean): Promise<Check[]> {
  try {
    const units = findUnits(question);
    const checks = await checkUnits(question, units);
    const hasUserUnit = units.some(({ plan }) => plan.manager === "systemd" && plan.scope === "user");
    const { daemonPid, root = "" } = question;
    const user = ownAccount(question.environment).name;
    return isLinux ? [...checks, checkLinger({ user, hasUserUnit, daemonPid, root })] : checks;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    // A home no unit can name, or a unit that cannot be read: the rest of what doctor says stands.
    return [{ name: "unit", result: "warning", message: error.message, hint: error.hint }];
  }
}
