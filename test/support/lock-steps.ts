// A program that takes a lock and is killed, or held up, before a step of it that the test chooses: a library that is loaded into it
// counts its calls into the kernel.
import { compilePreload } from "./compile-fixture.ts";
import { fixtureProgram } from "./programs.ts";
import { LineProcess } from "./line-process.ts";
import { leaveStaleLock, newLockDirectory, type LockName } from "./lock-owners.ts";

export const lockStates = ["free", "stale"] as const;
export type LockBefore = (typeof lockStates)[number];

/** A lock that nobody has, or that a dead process left. */
export async function prepareLock(state: LockBefore): Promise<LockName> {
  const name = { directory: newLockDirectory(), scope: "step", identity: "token" };
  if (state === "stale") await leaveStaleLock(name);
  return name;
}

export interface Step {
  /** The first is 1. */
  readonly at: number;
  readonly what: "kill" | "wait";
  /** What it waits for to be opened. */
  readonly fifo?: string;
}

/** test/fixtures/lock-steps.ts */
export function startStepper(name: LockName, then: "keep" | "release", step: Step): LineProcess {
  const program = fixtureProgram("lock-steps");
  const { directory, scope, identity } = name;
  return new LineProcess([process.execPath, program, directory, scope, identity, then], {
    environment: {
      LD_PRELOAD: compilePreload("lock_step"),
      LOCK_STEP_DIR: directory,
      LOCK_STEP_AT: String(step.at),
      LOCK_STEP_DO: step.what,
      LOCK_STEP_FIFO: step.fifo ?? "",
    },
  });
}
