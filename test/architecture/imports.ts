// Reads the imports of a TypeScript file and holds them against the import table.
// A pattern is enough: the formatter puts every import at the start of a line, in double quotes.
import { posix } from "node:path";
import { importTable, mayImport, type ModuleRule } from "./import-table.ts";
import type { SourceFile } from "./source-files.ts";

const forms = [
  /^(?:import|export)\s[\w\s{},*$]*?\bfrom\s+"([^"]+)"/gm,
  /^import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"/g,
];

/** What the file imports, exports from elsewhere, or loads while it runs. */
export function readImports(text: string): string[] {
  return forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ""));
}

/** The module of a path, "keeper" for src/keeper/connect.ts; nothing for files outside src/. */
function moduleOf(path: string): string | undefined {
  const [top, module, file] = path.split("/");
  return top === "src" && file ? module : undefined;
}

/** The package of an import: "a/b" is of package a, "@a/b/c" of @a/b. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function judgeRelative(file: SourceFile, module: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(file.path), specifier);
  const other = moduleOf(target);
  if (!other) return `leaves src/`;
  const rule = importTable[module];
  if (rule && reachesNodeFile(file, rule, target)) return `only for Node, and this file is also for browsers`;
  if (other === module) return undefined;
  if (!mayImport(module, other)) return `${module} may not import ${other}`;
  const isDoor = target === `src/${other}/index.ts`;
  if (importTable[module]?.byIndexOnly.includes(other) && !isDoor) return `enter ${other} by its index.ts`;
  return undefined;
}

/** A path, or a folder as `FOLDER/**`. */
function isNodeFile(rule: ModuleRule, path: string): boolean {
  return rule.nodeFiles.some(
    (name) => name === path || (name.endsWith("/**") && path.startsWith(name.slice(0, -2))),
  );
}

/** A browser loads a file and all it imports: one that may not use node:* may not reach one that does. */
function reachesNodeFile(file: SourceFile, rule: ModuleRule, target: string): boolean {
  return !file.path.endsWith(".test.ts") && !isNodeFile(rule, file.path) && isNodeFile(rule, target);
}

function judgeImport(
  file: SourceFile,
  specifier: string,
  dependencies: ReadonlySet<string>,
): string | undefined {
  const module = moduleOf(file.path);
  const rule = module === undefined ? undefined : importTable[module];
  if (!module || !rule) return "its module is not in the import table";
  if (specifier.startsWith(".")) return judgeRelative(file, module, specifier);
  const isTest = file.path.endsWith(".test.ts");
  if (specifier.startsWith("node:")) {
    return rule.nodeBuiltins || isTest || isNodeFile(rule, file.path)
      ? undefined
      : `${module} imports no node:*`;
  }
  const name = packageOf(specifier);
  if (isTest && (name === "vitest" || name === "fast-check")) return undefined;
  if (!dependencies.has(name)) return `${name} is no dependency in package.json`;
  if (rule.packages !== "any" && !rule.packages.includes(name)) return `${module} may not use ${name}`;
  return undefined;
}

/** Every import of a file of src/ that the table forbids, as lines for a message. */
export function findForbiddenImports(file: SourceFile, dependencies: ReadonlySet<string>): string[] {
  return readImports(file.text).flatMap((specifier) => {
    const fault = judgeImport(file, specifier, dependencies);
    return fault ? [`${file.path} imports ${specifier}: ${fault}`] : [];
  });
}

/** Packages a file outside src/ uses although package.json does not name them. */
export function findUnknownPackages(file: SourceFile, known: ReadonlySet<string>): string[] {
  const packages = readImports(file.text).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  const unknown = packages.filter((specifier) => !known.has(packageOf(specifier)));
  return unknown.map((specifier) => `${file.path} imports ${specifier}`);
}

/** The import table as ARCHITECTURE.md shows it. */
export function renderImportTable(): string {
  const list = (names: readonly string[]) => (names.length > 0 ? names.join(", ") : "–");
  const nodeText = ({ nodeBuiltins, nodeFiles }: ModuleRule) => {
    return nodeBuiltins ? "yes" : nodeFiles.length > 0 ? `in ${nodeFiles.join(", ")} only` : "no";
  };
  const rows = Object.entries(importTable).map(([module, rule]) => {
    const doors = rule.mayImport.map((name) => (rule.byIndexOnly.includes(name) ? `${name} (index)` : name));
    const packages = rule.packages === "any" ? "dependencies" : list(rule.packages);
    return `| ${module} | ${list(doors)} | ${nodeText(rule)} | ${packages} |`;
  });
  return ["| module | may import | node:* | npm packages |", "|---|---|---|---|", ...rows].join("\n");
}
