// The keeper's own gates: it builds, and its C tests pass under the sanitizers, the analyzer and the fuzzer.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Gate } from "./gate.ts";
import { repository, runTool } from "./run-tool.ts";

/** The binaries in keeper/build: keeper-OS-ARCH. */
function listBinaries(): string[] {
  try {
    return readdirSync(join(repository, "keeper/build")).filter((name) =>
      /^keeper-[a-z]+-[a-z0-9]+$/.test(name),
    );
  } catch {
    return []; // Nothing was built: the gate says so by its count.
  }
}

export const buildGate: Gate = {
  name: "build",
  async run() {
    const { code, output } = await runTool("make", ["-s", "-C", "keeper", "all"]);
    return { ok: code === 0, seen: listBinaries().length, unit: "binaries", details: output };
  },
};

/** Every C test program closes with a line "N passed, N failed"; the gate adds them up. */
export function sumClosingLines(output: string): { passed: number; failed: number } {
  const sum = { passed: 0, failed: 0 };
  for (const line of output.matchAll(/^(?:[^\n]*[\s:])?(\d+) passed, (\d+) failed\s*$/gm)) {
    sum.passed += Number(line[1]);
    sum.failed += Number(line[2]);
  }
  return sum;
}

export const cGate: Gate = {
  name: "c",
  async run() {
    const { code, output } = await runTool("make", ["-s", "-C", "keeper", "check"], { show: true });
    const tests = sumClosingLines(output);
    const ok = code === 0 && tests.failed === 0;
    return { ok, seen: tests.passed + tests.failed, unit: "tests", tests };
  },
};
