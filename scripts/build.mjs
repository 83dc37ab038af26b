// npm run build: the keeper for this machine, in keeper/build, and the bundles of command line, daemon and dashboard, in dist.
import { ensureKeeper } from "./setup/keeper.mjs";
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { becomeProjectNode } from "./setup/run.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureNpmPackages();
ensureSystemPackages("build");
ensureKeeper();
becomeProjectNode("scripts/build-cli.mjs", []);
