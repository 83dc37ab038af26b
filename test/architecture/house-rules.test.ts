// Each rule is shown a file that breaks it: a check that cannot fail is no check.
import { expect, test } from "vitest";
import {
  findDeadLinks,
  findLengthFaults,
  findLongFunctions,
  findMachinePaths,
  findNameFaults,
  findSkipFaults,
} from "./house-rules.ts";
import { findForbiddenImports, readImports } from "./imports.ts";
import { findUnlistedSkips } from "./skipped-tests.ts";

const dependencies = new Set(["zod"]);
const file = (path: string, text = "") => ({ path, text });

test("every form of import is read, and code that only looks like one is not", () => {
  const text = [
    'import { a } from "./a.ts";',
    'import type { B } from "./b.ts";',
    'import c, {\n  d,\n  type E as F,\n} from "./c.ts";',
    'import * as g from "./g.ts";',
    'export { h } from "./h.ts";',
    'export * from "./i.ts";',
    'import "./j.ts";',
    'const k = await import("./k.ts");',
    'export const message = `copied from "./no.ts"`;',
    'export function from() {\n  return "./no.ts";\n}',
  ].join("\n");
  const names = ["a", "b", "c", "g", "h", "i", "j", "k"];
  expect(readImports(text).toSorted()).toEqual(names.map((name) => `./${name}.ts`));
});

test.for([
  ["src/protocol/frame.ts", "node:fs", "protocol imports no node:*"],
  ["src/protocol/frame.ts", "../util/bytes.ts", "protocol may not import util"],
  ["src/keeper/connect.ts", "../store/runs.ts", "keeper may not import store"],
  ["src/keeper/connect.ts", "../../test/support/leaks.ts", "leaves src/"],
  ["src/keeper/connect.ts", "left-pad", "left-pad is no dependency in package.json"],
  ["src/util/bytes.ts", "zod", "util may not use zod"],
  ["src/board/claim.ts", "../processes/state.ts", "enter processes by its index.ts"],
  ["src/board/claim.ts", "../services/index.ts", "board may not import services"],
  ["src/operations/process-stop.ts", "../keeper/stop.ts", "enter keeper by its index.ts"],
  ["src/cli/commands/stop.ts", "../../daemon/main.ts", "cli may not import daemon"],
  ["src/novelty/a.ts", "./b.ts", "its module is not in the import table"],
])("%s may not import %s", ([path, specifier, fault]) => {
  const found = findForbiddenImports(file(path ?? "", `import { x } from "${specifier}";`), dependencies);
  expect(found).toEqual([`${path} imports ${specifier}: ${fault}`]);
});

test.for([
  ["src/protocol/frame.ts", "zod"],
  ["src/protocol/frame.test.ts", "node:fs"],
  ["src/keeper/connect.ts", "../protocol/errors.ts"],
  ["src/board/claim.ts", "../processes/index.ts"],
  ["src/cli/commands/stop.ts", "../../client/connect.ts"],
])("%s may import %s", ([path, specifier]) => {
  expect(findForbiddenImports(file(path ?? "", `import { x } from "${specifier}";`), dependencies)).toEqual(
    [],
  );
});

test("names that say nothing, stray doors and other cases are found", () => {
  const bad = [
    "src/keeper/utils.ts",
    "src/keeper/helpers.ts",
    "src/keeper/start/index.ts",
    "src/keeper/runDir.ts",
  ];
  for (const path of [...bad, "keeper/src/types.h", "keeper/src/run-dir.c"]) {
    expect(findNameFaults(file(path)), path).toHaveLength(1);
  }
  for (const path of [
    "src/keeper/index.ts",
    "test/keeper/helpers.ts",
    "keeper/src/run_dir.c",
    "vitest.config.ts",
  ]) {
    expect(findNameFaults(file(path)), path).toEqual([]);
  }
});

test("files and C functions over their limit are found", () => {
  expect(findLengthFaults(file("a.ts", "x\n".repeat(400)))).toEqual([]);
  expect(findLengthFaults(file("a.ts", "x\n".repeat(401)))).toHaveLength(1);
  expect(findLengthFaults(file("a.c", "x\n".repeat(501)))).toHaveLength(1);
  const body = (lines: number) => `int f(void) {\n${"  x();\n".repeat(lines - 2)}}\n`;
  expect(findLongFunctions(file("a.c", body(60)))).toEqual([]);
  expect(findLongFunctions(file("a.c", `${body(20)}static ${body(61)}`))).toHaveLength(1);
  expect(findLongFunctions(file("a.c", body(61).replace(") {", ")\n{")))).toHaveLength(1);
});

test("a skip without a listed reason is found, in the source and in the report", () => {
  // Spelt out, these would be found in this very file.
  const ways = { off: "skip", alone: "only" };
  const skipping = file("test/a.test.ts", `test.${ways.off}("later", () => {});`);
  expect(findSkipFaults(skipping, [])).toHaveLength(1);
  expect(findSkipFaults(skipping, [{ file: skipping.path, reason: "known" }])).toEqual([]);
  expect(findSkipFaults(file("test/a.test.ts", `describe.${ways.alone}("x", () => {});`), [])).toHaveLength(
    1,
  );
  const reported = { file: "test/a.test.ts", title: "later", status: "skipped" };
  expect(findUnlistedSkips([reported, { ...reported, status: "passed" }], [])).toEqual([reported]);
  expect(findUnlistedSkips([reported], [{ file: reported.file, title: "later", reason: "known" }])).toEqual(
    [],
  );
});

test("paths of one machine are found, paths everybody has are not", () => {
  expect(findMachinePaths(file("a.md", "see /work/x, `/home/jo/y` and /root"))).toHaveLength(3);
  expect(
    findMachinePaths(file("a.md", "/tmp, ~/.holdfast, docs/work/x, HOME/root, /workspace, /proc/self")),
  ).toEqual([]);
});

test("a link to a file that is not there is found", () => {
  expect(
    findDeadLinks(file("docs/a.md", "[a](../README.md#start) [b](https://example.org/) [c](#here)")),
  ).toEqual([]);
  expect(findDeadLinks(file("docs/a.md", "[a](README.md)"))).toEqual(["docs/a.md: no file README.md"]);
});
