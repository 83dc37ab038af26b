// The house rules a machine can read off a file: its name, its length, its skips, its paths.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listedSkips, type ListedSkip } from "./skipped-tests.ts";
import { countLines, repository, type SourceFile } from "./source-files.ts";

/** Names that say nothing about what is inside. */
const emptyNames = new Set(["utils", "helpers", "common", "misc", "types", "manager", "base"]);

/** 400 lines of TypeScript or 500 of C are what one person holds in mind at once. */
const lineLimits = { typescript: 400, c: 500 } as const;

/** A C function within one screen. */
const functionLineLimit = 60;

export function findNameFaults({ path }: SourceFile): string[] {
  const stem = basename(path).replace(/\..*$/, "");
  const faults: string[] = [];
  const isTestHelper = stem === "helpers" && path.startsWith("test/");
  if (emptyNames.has(stem) && !isTestHelper) faults.push(`${path}: the name says nothing`);
  if (stem === "index" && !/^src\/[^/]+$/.test(dirname(path)))
    faults.push(`${path}: index is a module's door only`);
  const isC = /\.[ch]$/.test(path);
  const shape = isC ? /^[a-z0-9]+(_[a-z0-9]+)*$/ : /^[a-z0-9]+(-[a-z0-9]+)*$/;
  if (!shape.test(stem)) faults.push(`${path}: ${isC ? "snake_case" : "kebab-case"} is the rule`);
  return faults;
}

export function findLengthFaults({ path, text }: SourceFile): string[] {
  const limit = /\.[ch]$/.test(path) ? lineLimits.c : lineLimits.typescript;
  const lines = countLines(text);
  return lines > limit ? [`${path}: ${lines} lines, ${limit} are allowed`] : [];
}

/** C functions over the limit: from a line that ends a parameter list and opens a body to the "}" in column one. */
export function findLongFunctions({ path, text }: SourceFile): string[] {
  const faults: string[] = [];
  let begin = -1;
  for (const [number, line] of text.split("\n").entries()) {
    if (begin < 0 && (/^\{$/.test(line) || /\)\s*\{$/.test(line)) && !/^\s*#/.test(line)) begin = number;
    else if (begin >= 0 && line.startsWith("}")) {
      const length = number - begin + 1;
      if (length > functionLineLimit) faults.push(`${path}:${begin + 1}: a function of ${length} lines`);
      begin = -1;
    }
  }
  return faults;
}

/** Tests switched off in the source of a file nobody listed, and tests that switch all others off. */
export function findSkipFaults(file: SourceFile, listed: readonly ListedSkip[] = listedSkips): string[] {
  const faults: string[] = [];
  if (/\b(?:test|it|describe)(?:\.\w+)*\.only\b/.test(file.text)) faults.push(`${file.path}: .only`);
  const skips = /\b(?:test|it|describe|context)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo)\b/.test(file.text);
  if (skips && !listed.some((skip) => skip.file === file.path)) {
    faults.push(`${file.path}: skips a test that test/architecture/skipped-tests.ts does not list`);
  }
  return faults;
}

/** Paths that only exist on the machine of the one who wrote the page. */
export function findMachinePaths({ path, text }: SourceFile): string[] {
  const machinePath = /(?<![\w.~<>-])\/(?:work|root|home\/[a-z]+|Users\/\w+)(?![\w-])/g;
  return [...text.matchAll(machinePath)].map((match) => `${path}: ${match[0]}`);
}

/** Links of a page to files of the repository that are not there. */
export function findDeadLinks({ path, text }: SourceFile): string[] {
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1] ?? "");
  const dead = targets.filter((target) => !existsSync(join(repository, dirname(path), target)));
  return dead.map((target) => `${path}: no file ${target}`);
}
