// The repository held against its own rules. Every check also counts what it looked at, against the floors of the
// gates: a rule that sees no files any more must not stay green.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import floors from "../scripts/gates/floors.json" with { type: "json" };
import * as houseRules from "./architecture/house-rules.ts";
import { importTable } from "./architecture/import-table.ts";
import {
  findForbiddenImports,
  findUnknownPackages,
  readImports,
  renderImportTable,
} from "./architecture/imports.ts";
import { listFiles, repository } from "./architecture/source-files.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const sources = listFiles(["src"], /\.ts$/);
const scripts = listFiles(["", "src", "test", "bench", "scripts"], /\.(?:ts|mjs)$/);
const tests = scripts.filter(({ path }) => path.endsWith(".test.ts"));
const cFiles = listFiles(["keeper/src"], /\.[ch]$/);
const cTests = listFiles(["keeper/test"], /\.[ch]$/);
const documents = [...listFiles(["", "docs", "keeper"], /\.md$/), ...listFiles([""], /^package\.json$/)];

describe("imports", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;

  test("src/ keeps to the import table", () => {
    const allowed = new Set(Object.keys(dependencies));
    expect(sources.flatMap((file) => findForbiddenImports(file, allowed))).toEqual([]);
    expect(sources.length).toBeGreaterThanOrEqual(floors["architecture sources"]);
    const count = sources.reduce((sum, file) => sum + readImports(file.text).length, 0);
    expect(count).toBeGreaterThanOrEqual(floors["architecture imports"]);
  });

  test("every folder of src/ is in the table, and every name in the table is a module", () => {
    const folders = new Set(sources.map(({ path }) => path.split("/")[1]));
    expect([...folders].filter((folder) => !folder || !(folder in importTable))).toEqual([]);
    const named = Object.values(importTable).flatMap((rule) => [...rule.mayImport, ...rule.byIndexOnly]);
    expect(named.filter((name) => !(name in importTable))).toEqual([]);
  });

  test("ARCHITECTURE.md shows the same table", () => {
    expect(read("ARCHITECTURE.md")).toContain(renderImportTable());
  });

  test("tests, benches and scripts use only what package.json names", () => {
    const allowed = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    const outside = scripts.filter(({ path }) => !path.startsWith("src/"));
    const faults = outside.flatMap((file) => findUnknownPackages(file, allowed));
    expect(faults).toEqual([]);
  });
});

describe("house rules", () => {
  test("file names say what is inside", () => {
    expect([...scripts, ...cFiles, ...cTests].flatMap(houseRules.findNameFaults)).toEqual([]);
  });

  test("files and C functions stay within their length", () => {
    expect([...scripts, ...cFiles, ...cTests].flatMap(houseRules.findLengthFaults)).toEqual([]);
    expect(cFiles.flatMap(houseRules.findLongFunctions)).toEqual([]);
    expect(scripts.length).toBeGreaterThanOrEqual(floors["architecture scripts"]);
    expect(cFiles.length).toBeGreaterThanOrEqual(floors["architecture c files"]);
  });

  test("no test is skipped without a listed reason", () => {
    expect(tests.flatMap((file) => houseRules.findSkipFaults(file))).toEqual([]);
    expect(tests.length).toBeGreaterThanOrEqual(floors["architecture tests"]);
  });

  test("the documents name no path of one machine, and their links lead somewhere", () => {
    expect(documents.flatMap(houseRules.findMachinePaths)).toEqual([]);
    expect(documents.flatMap(houseRules.findDeadLinks)).toEqual([]);
    expect(documents.length).toBeGreaterThanOrEqual(floors["architecture documents"]);
  });

  test("the lock file names no registry", () => {
    expect(read("package-lock.json")).not.toMatch(/"resolved": "(?!web")/);
  });
});
