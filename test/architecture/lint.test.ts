// Lint is shown code that breaks the rules we count on: a rule that a new version of the tool drops or renames must
// not vanish in silence.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { newTestHome } from "../support/test-home.ts";
import { repository } from "./source-files.ts";

/** Lints the given files under the project's own configuration and returns "file rule" for each finding. */
function lint(files: Readonly<Record<string, string>>): string[] {
  const root = newTestHome();
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  for (const path of [
    "oxlint.config.ts",
    "tsconfig.json",
    "package.json",
    "test/architecture/import-table.ts",
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(join(repository, path), join(root, path));
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const oxlint = join(repository, "node_modules/oxlint/bin/oxlint");
  const result = spawnSync(process.execPath, [oxlint, "--type-aware", "--format=json", "src"], {
    cwd: root,
    encoding: "utf8",
  });
  const report = JSON.parse(result.stdout) as { diagnostics: { code: string; filename: string }[] };
  return report.diagnostics.map(({ filename, code }) => `${filename} ${code}`).toSorted();
}

test("the rules that matter most still fire", () => {
  const found = lint({
    "src/util/a.ts": [
      'import { b } from "./b.ts";',
      'import { resolveHome } from "../config/home.ts";',
      "export default b;",
      "export function a(x: any): string {",
      "  Promise.resolve(x);",
      "  try {\n    b();\n  } catch {}",
      "  return resolveHome();",
      "}",
    ].join("\n"),
    "src/util/b.ts": 'import { a } from "./a.ts";\nexport function b(): string {\n  return a(1);\n}\n',
    "src/config/home.ts": 'export function resolveHome(): string {\n  return "";\n}\n',
    "src/protocol/file.ts": 'export { readFileSync } from "node:fs";\n',
    "src/board/claim.ts": 'export { state } from "../processes/state.ts";\n',
    "src/services/profile.ts": 'export { state } from "../processes/index.ts";\n',
    "src/processes/index.ts": 'export { state } from "./state.ts";\n',
    "src/processes/state.ts": `export const state = 1;\n${"// long\n".repeat(400)}`,
    "src/keeper/long.ts": `export function long(): void {\n${"  performance.now();\n".repeat(60)}}\n`,
  });
  expect(found).toEqual([
    "src/board/claim.ts eslint(no-restricted-imports)",
    "src/keeper/long.ts eslint(max-lines-per-function)",
    "src/processes/state.ts eslint(max-lines)",
    "src/protocol/file.ts eslint(no-restricted-imports)",
    "src/util/a.ts eslint(no-empty)",
    "src/util/a.ts eslint(no-restricted-imports)",
    "src/util/a.ts import(no-cycle)",
    "src/util/a.ts import(no-default-export)",
    "src/util/a.ts typescript(no-explicit-any)",
    "src/util/a.ts typescript(no-floating-promises)",
    "src/util/b.ts import(no-cycle)",
  ]);
});
