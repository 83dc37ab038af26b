// The command line and the daemon as one file each, for an installed package and for a fast start. Beside each stands
// the list of its sources, so that a checkout can tell when they are newer.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ensureDashboard } from "./setup/dashboard.mjs";

const repository = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * commander loads node:child_process for a kind of command we have none of; that costs every command about 1 ms.
 * @type {import("esbuild").Plugin}
 */
const withoutExecutableCommands = {
  name: "without-executable-commands",
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) => {
      return importer.includes("/node_modules/commander/") ? { path: "none", namespace: "none" } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** @type {import("esbuild").BuildOptions} */
const shared = {
  absWorkingDir: repository,
  bundle: true,
  platform: "node",
  target: "node24",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/**
 * CommonJS: there a lazy part of one file also loads Node's own modules late, and nothing waits for the ESM loader.
 * Measured on `ps`, the same code in both formats: 42 ms against 47, with a bare Node at 26.
 * @type {import("esbuild").BuildOptions}
 */
const commandLine = {
  ...shared,
  entryPoints: ["src/cli/main.ts"],
  format: "cjs",
  define: { "import.meta.dirname": "__dirname" },
  plugins: [withoutExecutableCommands],
};

/** Packages in the old module format call `require`, which a file in the new one does not have. */
export const withRequire = {
  js: 'import { createRequire as holdfastCreateRequire } from "node:module"; const require = holdfastCreateRequire(import.meta.url);',
};

/** @type {import("esbuild").BuildOptions} */
const daemon = {
  ...shared,
  entryPoints: ["src/daemon/main.ts"],
  format: "esm",
  banner: withRequire,
};

/**
 * A thread of the daemon: not part of its file, so that it loads only what it needs.
 * @type {import("esbuild").BuildOptions}
 */
const watchWorker = { ...daemon, entryPoints: ["src/processes/watch/worker.ts"] };
/** @type {import("esbuild").BuildOptions} */
const searchWorker = { ...daemon, entryPoints: ["src/processes/search/worker.ts"] };
/** @type {import("esbuild").BuildOptions} */
const usageWorker = { ...daemon, entryPoints: ["src/processes/usage/worker.ts"] };
/** @type {import("esbuild").BuildOptions} */
const terminalWorker = { ...daemon, entryPoints: ["src/terminals/thread/worker.ts"] };
/** @type {import("esbuild").BuildOptions} */
const policyWorker = { ...daemon, entryPoints: ["src/policy/shell/worker.ts"] };

/**
 * Not part of the command line's file: the SDK and zod would cost every command that does not need them.
 * @type {import("esbuild").BuildOptions}
 */
const mcpServer = { ...daemon, entryPoints: ["src/cli/serve-mcp.ts"] };

/** @type {import("esbuild").BuildOptions} */
const acpRelay = { ...daemon, entryPoints: ["src/cli/serve-acp.ts"] };

/**
 * Nor are the parsers of other programs' files. By their modern form: the older one of jsonc-parser hides what it requires.
 * @type {import("esbuild").BuildOptions}
 */
const initProgram = { ...daemon, entryPoints: ["src/cli/run-init.ts"], mainFields: ["module", "main"] };

/**
 * @param {import("esbuild").BuildOptions} options
 * @param {string} outfile
 * @returns {Promise<string[]>} its sources
 */
async function bundle(options, outfile) {
  const { metafile } = await build({ ...options, outfile });
  return Object.keys(metafile?.inputs ?? {}).filter((path) => path.startsWith("src/"));
}

/**
 * @param {string} outfile
 * @param {readonly string[]} inputs
 */
function listInputs(outfile, inputs) {
  writeFileSync(`${outfile}.inputs`, `${[...new Set(inputs)].toSorted().join("\n")}\n`);
}

/** What shells read; stands beside the daemon. */
const preludes = "src/processes/shell/preludes";

/** @param {string} directory where it is put; the repository's dist for real use */
export async function buildCli(directory = join(repository, "dist")) {
  mkdirSync(join(directory, "daemon"), { recursive: true });
  const cliFile = join(directory, "holdfast.cjs");
  const daemonFile = join(directory, "daemon/main.mjs");
  const mcpFile = join(directory, "mcp.mjs");
  const [cliInputs, daemonInputs, ...threadInputs] = await Promise.all([
    bundle(commandLine, cliFile),
    bundle(daemon, daemonFile),
    bundle(watchWorker, join(directory, "daemon/watch-worker.mjs")),
    bundle(searchWorker, join(directory, "daemon/search-worker.mjs")),
    bundle(policyWorker, join(directory, "daemon/policy-worker.mjs")),
    bundle(usageWorker, join(directory, "daemon/usage-worker.mjs")),
    bundle(terminalWorker, join(directory, "daemon/terminal-worker.mjs")),
  ]);
  const acpFile = join(directory, "acp.mjs");
  const initFile = join(directory, "init.mjs");
  const [mcpInputs, acpInputs, initInputs] = await Promise.all([
    bundle(mcpServer, mcpFile),
    bundle(acpRelay, acpFile),
    bundle(initProgram, initFile),
  ]);
  listInputs(cliFile, cliInputs);
  cpSync(join(repository, preludes), join(directory, "daemon/preludes"), { recursive: true });
  const read = readdirSync(join(repository, preludes)).map((name) => `${preludes}/${name}`);
  listInputs(daemonFile, [...daemonInputs, ...threadInputs.flat(), ...read]);
  listInputs(mcpFile, mcpInputs);
  listInputs(acpFile, acpInputs);
  listInputs(initFile, initInputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildCli(process.argv[2]);
  await ensureDashboard();
}
