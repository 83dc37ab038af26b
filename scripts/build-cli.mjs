// The command line and the daemon as one file each, for an installed package and for a fast start: dist/holdfast.mjs,
// dist/daemon/main.mjs. dist/inputs names the sources, so that bin/holdfast can tell when they are newer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const repository = join(import.meta.dirname, "..");

// Packages in the old module format call `require`, which a file in the new one does not have.
const requireBanner =
  'import { createRequire as holdfastCreateRequire } from "node:module"; const require = holdfastCreateRequire(import.meta.url);';

/**
 * @param {string} entry
 * @param {string} outfile
 * @returns {Promise<string[]>} the sources it was made from
 */
async function bundle(entry, outfile) {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    banner: { js: requireBanner },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs).filter((path) => path.startsWith("src/"));
}

/** @param {string} directory where it is put; the repository's dist for real use */
export async function buildCli(directory = join(repository, "dist")) {
  mkdirSync(directory, { recursive: true });
  const inputs = [
    ...(await bundle("src/cli/main.ts", join(directory, "holdfast.mjs"))),
    ...(await bundle("src/daemon/main.ts", join(directory, "daemon/main.mjs"))),
  ];
  writeFileSync(join(directory, "inputs"), `${[...new Set(inputs)].toSorted().join("\n")}\n`);
}

if (import.meta.main) await buildCli();
