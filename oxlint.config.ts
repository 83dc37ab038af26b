// Strict, type-aware lint. The import overrides are derived from the import table, so lint and the
// architecture test cannot disagree.
import { defineConfig, type OxlintOverride } from "oxlint";
import { importTable, mayImport } from "./test/architecture/import-table.ts";

const modules = Object.keys(importTable);

const importOverrides = Object.entries(importTable).map(([module, rule]): OxlintOverride => {
  const forbidden = modules.filter((other) => !mayImport(module, other));
  const patterns: ({ regex: string; message: string } | { group: string[]; message: string })[] = [];
  if (forbidden.length > 0) {
    patterns.push({
      regex: `^(?:\\.\\./)+(?:${forbidden.join("|")})/`,
      message: `src/${module} may not import this module: see the import table in ARCHITECTURE.md`,
    });
  }
  if (rule.byIndexOnly.length > 0) {
    // Not a regex: oxlint's have no lookahead, and one that does not compile is dropped without a word.
    patterns.push({
      group: rule.byIndexOnly.flatMap((other) => [`**/${other}/**`, `!**/${other}/index.ts`]),
      message: "Enter this module through its index.ts",
    });
  }
  if (!rule.nodeBuiltins) {
    patterns.push({ regex: "^node:", message: `src/${module} also runs in a browser: no node:*` });
  }
  return {
    files: [`src/${module}/**/*.ts`],
    // Tests beside the code run on Node only; the architecture test still holds them to the module table.
    excludeFiles: [`src/${module}/**/*.test.ts`, ...rule.nodeFiles],
    rules: { "no-restricted-imports": ["error", { patterns }] },
  };
});

export default defineConfig({
  plugins: [
    "eslint",
    "typescript",
    "unicorn",
    "oxc",
    "import",
    "promise",
    "node",
    "vitest",
    "react",
    "jsx-a11y",
  ],
  categories: { correctness: "error", suspicious: "error" },
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["keeper/**", "node_modules/**"],
  rules: {
    "max-lines": ["error", { max: 400 }],
    "max-lines-per-function": ["error", { max: 60 }],
    "no-empty": ["error", { allowEmptyCatch: false }],
    eqeqeq: "error",
    "import/no-default-export": "error",
    "import/no-cycle": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    // Narrowing what has just been proven is fine; the reason stands on the line. Values of type any are caught above.
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/only-throw-error": "error",
    "typescript/prefer-promise-reject-errors": "error",
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    "typescript/use-unknown-in-catch-callback-variable": "error",
    // No mocks of our own modules: tests run the real thing.
    "vitest/no-restricted-vi-methods": ["error", { mock: null, doMock: null, hoisted: null }],
    // The second argument is the message that shows what was seen.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    // A small function next to its only use reads better than one far away.
    "unicorn/consistent-function-scoping": "off",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
  },
  overrides: [
    { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
    { files: ["**/*.test.ts"], rules: { "max-lines-per-function": "off" } },
    {
      files: ["web/app/**"],
      rules: {
        // The dashboard is a client like any other: no private door.
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { regex: "^\\.", message: "Import by ~/, #client/ or #protocol/" },
              { regex: "^node:", message: "This runs in a browser" },
            ],
          },
        ],
        "react/react-in-jsx-scope": "off",
        "react/rules-of-hooks": "error",
        // Vite makes a style sheet of it.
        "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
      },
    },
    {
      // A component is named like its file; its markup counts as lines.
      files: ["web/app/**/*.tsx"],
      rules: {
        "unicorn/filename-case": ["error", { cases: { kebabCase: true, pascalCase: true } }],
        "max-lines-per-function": ["error", { max: 100 }],
      },
    },
    ...importOverrides,
  ],
});
