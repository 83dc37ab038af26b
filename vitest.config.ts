// Two projects: `unit` is the fast loop, `real` starts real processes. Both get the same guarded home.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/setup/longest-first.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const shared = {
  setupFiles: ["test/setup/guarded-home.ts"],
  pool: "forks" as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What a busy machine may take until something has happened; vitest's own second is no deadline anybody chose.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    // Real-process tests measure deadlines: more workers than the two cores of the smallest machine starve them.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // As web/vite.config.ts has them.
        resolve: {
          alias: { "~": here("web/app"), "#client": here("src/client"), "#protocol": here("src/protocol") },
        },
        test: {
          ...shared,
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "web/app/**/*.test.ts",
            "test/architecture.test.ts",
            "test/architecture/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          ...shared,
          name: "real",
          globalSetup: ["test/setup/build-package.ts"],
          // On a machine that others load too, one of some 1,300 tests with real processes meets a moment nobody waited for. It is
          // tried once more there, and the run prints which: such a test is a defect to be mended, not a pass.
          retry: process.env["CI"] === "true" ? 1 : 0,
          include: ["test/**/*.test.ts"],
          exclude: ["test/architecture.test.ts", "test/architecture/**"],
        },
      },
    ],
  },
});
