// What a gate is. A gate looks at something, says how much it saw, and fails when that is less than its floor:
// a check that silently sees nothing any more would pass for ever.

export interface GateResult {
  /** Did the tool itself find nothing wrong? */
  readonly ok: boolean;
  /** How much it looked at, in `unit`s. */
  readonly seen: number;
  readonly unit: "files" | "tests" | "binaries";
  /** Tests, for the closing line; absent for gates that run none. */
  readonly tests?: { readonly passed: number; readonly failed: number };
  /** What to show when the gate fails and has not shown it already. */
  readonly details?: string;
}

export interface Gate {
  readonly name: string;
  run(): Promise<GateResult>;
}

export interface Verdict {
  readonly passed: boolean;
  /** How many failures the gate adds to the closing line. */
  readonly failures: number;
}

/** Holds what a gate saw against its floor. */
export function judgeGate(result: GateResult, floor: number): Verdict {
  const failedTests = result.tests?.failed ?? 0;
  const passed = result.ok && failedTests === 0 && result.seen >= floor;
  // A gate that fails without a failed test counts as one, so that the closing line never looks green then.
  return { passed, failures: passed ? 0 : Math.max(failedTests, 1) };
}
