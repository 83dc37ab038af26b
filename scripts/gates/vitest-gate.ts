// A vitest project as a gate: counts come from vitest's own JSON report, not from its printed text.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { findUnlistedSkips, type ReportedTest } from "../../test/architecture/skipped-tests.ts";
import type { Gate, GateResult } from "./gate.ts";
import { repository, runTool } from "./run-tool.ts";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function judge(report: VitestReport, code: number): GateResult {
  const tests: ReportedTest[] = report.testResults.flatMap((file) =>
    file.assertionResults.map(({ fullName, status }) => ({
      file: relative(repository, file.name),
      title: fullName,
      status,
    })),
  );
  const unlisted = findUnlistedSkips(tests);
  return {
    ok: code === 0 && unlisted.length === 0,
    seen: report.numPassedTests + report.numFailedTests,
    unit: "tests",
    tests: { passed: report.numPassedTests, failed: report.numFailedTests },
    details: unlisted
      .map((test) => `skipped without a listed reason: ${test.file}: ${test.title}`)
      .join("\n"),
  };
}

/** Runs one project of vitest.config.ts. */
export function vitestGate(project: string): Gate {
  return {
    name: project,
    async run() {
      const directory = mkdtempSync(join(tmpdir(), "hf-report-"));
      const reportFile = join(directory, "report.json");
      try {
        const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
        const { code } = await runTool("vitest", ["run", "--project", project, ...reporters], { show: true });
        return judge(JSON.parse(readFileSync(reportFile, "utf8")) as VitestReport, code);
      } catch (error) {
        return { ok: false, seen: 0, unit: "tests", details: `vitest left no report: ${String(error)}` };
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}
