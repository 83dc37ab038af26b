// Runs once before the real tests: Holdfast as it is installed, which starts in half the time its sources take. Tests run it unless
// they ask for the sources. What was built is kept for the next run of the same sources.
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { build as bundle } from "esbuild";
import type { TestProject } from "vitest/node";
import { buildCli, withRequire } from "../../scripts/build-cli.mjs";
import { ensureDashboard } from "../../scripts/setup/dashboard.mjs";

const repository = join(import.meta.dirname, "../..");
const kept = join(repository, "node_modules/.cache/holdfast-tests");
/** Whatever it is made of. */
const made = [
  "src",
  "bin",
  "scripts/build-cli.mjs",
  "test/support/compile-cache.mjs",
  "test/fixtures",
  "test/setup/build-package.ts",
  "package.json",
  "package-lock.json",
];
/** Programs of test/fixtures that are started so often that their start is what a test takes. */
const fixtures = [
  "acp-agent",
  "lock-racer",
  "lock-steps",
  "lock-worker",
  "notice-consumer",
  "recovery-open-launcher",
  "recovery-start-loop",
  "store-insert-forever",
];
// Somebody else may just be running an older one.
const mostAgeMs = 2 * 3_600_000;

export async function setup(project: TestProject): Promise<void> {
  const directory = join(kept, `package-${stamp()}`);
  if (!existsSync(directory)) {
    removeOld();
    await build(directory);
  }
  // Once, before anybody opens a page: two that build at once would read each other's halves.
  await ensureDashboard();
  // A program knows itself by its true path.
  project.provide("package", realpathSync(directory));
}

/** Another one for every change of a source, and for every checkout. */
function stamp(): string {
  const hash = createHash("sha256").update(repository);
  for (const path of made.map((name) => join(repository, name))) {
    const inside = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" })
      : [""];
    for (const name of inside.toSorted()) {
      const { mtimeMs, size } = statSync(join(path, name));
      hash.update(`${name} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest("hex").slice(0, 16);
}

async function build(directory: string): Promise<void> {
  mkdirSync(kept, { recursive: true });
  const building = mkdtempSync(join(kept, "building-"));
  chmodSync(building, 0o755); // a daemon of another user runs it, too
  await Promise.all([buildCli(join(building, "dist")), buildFixtures(join(building, "fixtures"))]);
  for (const path of ["bin", "package.json"])
    cpSync(join(repository, path), join(building, path), { recursive: true });
  cpSync(join(repository, "test/support/compile-cache.mjs"), join(building, "compile-cache.mjs"));
  mkdirSync(join(building, "keeper"));
  // Built by others, perhaps later in this run.
  symlinkSync(join(repository, "keeper/build"), join(building, "keeper/build"));
  symlinkSync(join(repository, "dist/web"), join(building, "dist/web"));
  try {
    renameSync(building, directory);
  } catch {
    rmSync(building, { recursive: true, force: true }); // another run was quicker
  }
}

async function buildFixtures(directory: string): Promise<void> {
  await bundle({
    entryPoints: fixtures.map((name) => join(repository, `test/fixtures/${name}.ts`)),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: withRequire,
    logLevel: "warning",
  });
}

function removeOld(): void {
  if (!existsSync(kept)) return;
  for (const name of readdirSync(kept)) {
    const path = join(kept, name);
    if (Date.now() - statSync(path).mtimeMs > mostAgeMs) rmSync(path, { recursive: true, force: true });
  }
}
