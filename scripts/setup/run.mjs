// Starts the programs that set a checkout up. Everything in scripts/**/*.mjs must run on Node 20: it is what
// prepares Node 24.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The Node that the project runs on, from the npm package `node`. */
export const projectNode = join(repository, "node_modules/node/bin/node");

/**
 * Runs a program in the repository with the caller's output and no input, and returns its exit code.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [extraEnvironment]
 * @returns {number}
 */
export function run(program, args, extraEnvironment = {}) {
  const result = spawnSync(program, args, {
    cwd: repository,
    // No input: a question of apt-get or npm would hang an unattended run.
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...extraEnvironment },
  });
  if (result.error) {
    console.error(`holdfast: cannot run ${program}: ${result.error.message}`);
    return 127;
  }
  return result.status ?? 1;
}

/**
 * Runs a program and leaves with its exit code when it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} meaning what to tell when it fails
 * @param {NodeJS.ProcessEnv} [extraEnvironment]
 */
export function runOrExit(program, args, meaning, extraEnvironment = {}) {
  const code = run(program, args, extraEnvironment);
  if (code === 0) return;
  console.error(`holdfast: ${meaning} (${[program, ...args].join(" ")} ended with ${code})`);
  process.exit(code);
}

/**
 * Runs one of the project's TypeScript files on the project's Node and ends with its exit code.
 * @param {string} file
 * @param {readonly string[]} args
 */
export function becomeProjectNode(file, args) {
  process.exit(run(projectNode, [join(repository, file), ...args]));
}
