// The official conformance suite against the daemon, for both eras: what fails is exactly what is listed with a reason.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConformancePort } from "../support/conformance-port.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { testDirectory } from "../support/test-home.ts";
import { expectedFailures } from "./conformance-failures.ts";

const suite = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

interface Check {
  readonly id: string;
  readonly status: string;
}

/** Every check of every scenario, by its scenario. */
function readChecks(directory: string): { name: string; status: string }[] {
  return readdirSync(directory).flatMap((folder) => {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const checks = JSON.parse(readFileSync(join(directory, folder, "checks.json"), "utf8")) as Check[];
    return checks.map(({ id, status }) => ({ name: `${scenario}: ${id}`, status }));
  });
}

test.each<[string, number]>([
  ["2026-07-28", 123],
  ["2025-11-25", 30],
])("revision %s", async (revision, leastPassed) => {
  const { socketPath } = await openDaemonHome();
  const port = await openConformancePort(socketPath);
  const output = mkdtempSync(join(testDirectory(), "conformance-"));
  const args = ["server", "--url", `http://localhost:${port}/mcp`, "--requirements", revision, "-o", output];
  const child = execFile(process.execPath, [suite, ...args], { cwd: output });
  await once(child, "exit"); // its code counts the failures that are listed too
  const checks = readChecks(output);
  const failed = checks.filter(({ status }) => status === "FAILURE").map(({ name }) => name);
  const expected = Object.values(expectedFailures[revision] ?? {}).flat();
  expect(failed.toSorted()).toEqual(expected.toSorted());
  expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThanOrEqual(leastPassed);
});
