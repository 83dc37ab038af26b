// Lets the service manager start the daemon of a home. Whoever starts one beside an enabled unit takes the home from it: the unit then
// fails again and again, and nothing brings that daemon back.
import { isHoldfastError } from "../protocol/errors.ts";
import { isEnabled } from "./enablement.ts";
import { isManagerRunning, runCommand, unitCommands } from "./service-manager.ts";
import { findUnits, type UnitQuestion } from "./unit-check.ts";
import type { UnitPlan } from "./unit-plan.ts";

/** The unit that starts this home's daemon by itself, where its manager runs; undefined when there is none. */
export function enabledUnit(question: UnitQuestion): UnitPlan | undefined {
  const found = findUnits(question).find(
    ({ plan }) => isEnabled(plan) && isManagerRunning(plan, question.environment),
  );
  return found?.plan;
}

/** Only root may start a system unit: then it comes back by itself, or not at all. */
export async function startUnit(plan: UnitPlan, environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    await runCommand(unitCommands(plan).start, environment);
  } catch (error) {
    if (!isHoldfastError(error, "SERVICE_MANAGER_FAILED")) throw error;
  }
}
