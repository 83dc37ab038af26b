// Installs the npm packages of a checkout when they are missing or differ from package-lock.json.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode, repository, runOrExit } from "./run.mjs";

/** @typedef {{ version?: string, optional?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readLock(path) {
  const lock = /** @type {{ packages: Record<string, LockedPackage> }} */ (
    JSON.parse(readFileSync(path, "utf8"))
  );
  return lock.packages;
}

/** npm leaves a lock file of what it installed. Comparing the two is exact, where file times are not after a clone. */
function isInstalled() {
  const installedLock = join(repository, "node_modules/.package-lock.json");
  if (!existsSync(projectNode) || !existsSync(installedLock)) return false;
  const installed = readLock(installedLock);
  return Object.entries(readLock(join(repository, "package-lock.json"))).every(([path, locked]) => {
    if (path === "") return true;
    const present = installed[path];
    // Optional packages are the builds for other machines: absent here by design.
    return present ? present.version === locked.version : locked.optional === true;
  });
}

/** Brings node_modules in line with package-lock.json; does nothing when it is. */
export function ensureNpmPackages() {
  if (isInstalled()) return;
  console.log("holdfast: installing npm packages");
  // Not `npm ci`: it refuses a lock file that lacks optional builds for other machines, and a registry does not always
  // have all of them. --no-save leaves the lock file as it is. Warnings are left out: that the running Node is older
  // than the project's is expected here.
  const install = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  runOrExit("npm", install, "npm packages could not be installed");
}
