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
    // Real-process tests mostly wait: two workers leave a part of the two cores of the smallest machine idle.
    maxWorkers: 3,
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
          include: ["test/**/*.test.ts"],
          exclude: ["test/architecture.test.ts", "test/architecture/**"],
        },
      },
    ],
  },
});
