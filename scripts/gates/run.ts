// Runs the gates named on the command line, in that order, all of them even when one fails, and closes with one
// line for the whole run: "N passed, N failed".
import floors from "./floors.json" with { type: "json" };
import { judgeGate, type Gate, type GateResult } from "./gate.ts";
import { buildGate, cGate } from "./keeper-gates.ts";
import { formatGate, lintGate, typesGate } from "./static-gates.ts";
import { vitestGate } from "./vitest-gate.ts";

const gates: readonly Gate[] = [
  formatGate,
  lintGate,
  typesGate,
  vitestGate("unit"),
  buildGate,
  cGate,
  vitestGate("real"),
];

function floorOf(name: string): number {
  const floor = Object.entries(floors).find(([gate]) => gate === name)?.[1];
  // A gate without a floor could see nothing and pass.
  if (!floor) throw new Error(`no floor for gate ${name} in scripts/gates/floors.json`);
  return floor;
}

/** Prints the verdict on one gate and returns its failures. */
function report(gate: Gate, result: GateResult, durationMs: number): number {
  const floor = floorOf(gate.name);
  const { passed, failures } = judgeGate(result, floor);
  if (!passed && result.details) console.log(result.details.trimEnd());
  if (result.seen < floor) console.log(`${gate.name}: the floor is ${floor} (scripts/gates/floors.json)`);
  const verdict = passed ? "ok" : "FAILED";
  console.log(
    `gate ${gate.name}: ${verdict}, ${result.seen} ${result.unit}, ${(durationMs / 1000).toFixed(1)} s`,
  );
  return failures;
}

async function runGates(names: readonly string[]): Promise<number> {
  const total = { passed: 0, failed: 0 };
  for (const name of names) {
    const gate = gates.find((candidate) => candidate.name === name);
    if (!gate) throw new Error(`no gate ${name}; there are: ${gates.map((known) => known.name).join(" ")}`);
    const begin = performance.now();
    const result = await gate.run();
    total.passed += result.tests?.passed ?? 0;
    total.failed += report(gate, result, performance.now() - begin);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await runGates(process.argv.slice(2));
