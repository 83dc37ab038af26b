// The daemon that a service manager starts: asked for, and waited for.
import { daemonExitCode } from "../home/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import { enabledUnit, startUnit, unitSubState, type UnitPlan } from "../supervision/index.ts";
import { answersWithin } from "./daemon-answer.ts";
import { readVersion } from "./version.ts";

// A daemon may have thousands of processes to take over before it answers.
const readyTimeoutMs = 60_000;
// Between two looks at what the manager does.
const lookMs = 500;
// The manager waits two seconds before it tries again.
const comesBackMs = 5_000;

/** False: no enabled unit is there for this home, or its daemon does not come. */
export async function startByUnit(home: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const plan = findUnit(home, environment);
  if (plan === undefined) return false;
  await startUnit(plan, environment);
  return await unitAnswers(plan, environment);
}

function findUnit(home: string, environment: NodeJS.ProcessEnv): UnitPlan | undefined {
  const facts = { version: readVersion(), exitCodes: daemonExitCode, drainMs: null };
  try {
    return enabledUnit({ home, environment, daemonPid: null, supervisor: null, ...facts });
  } catch (error) {
    if (isHoldfastError(error)) return undefined; // a unit that cannot be read: doctor tells
    throw error;
  }
}

/** Waits as long as the unit's daemon runs or is about to; false when it has failed. */
export async function unitAnswers(plan: UnitPlan, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const beginMs = performance.now();
  for (;;) {
    if (await answersWithin(plan.home, performance.now() + lookMs)) return true;
    const passedMs = performance.now() - beginMs;
    const state = await unitSubState(plan, environment);
    const patienceMs =
      state === "running" || state === "start" ? readyTimeoutMs : state === "auto-restart" ? comesBackMs : 0;
    if (passedMs >= patienceMs) return false;
  }
}
