// npm start: from a fresh clone to a running demo.
import { ensureKeeper } from "./setup/keeper.mjs";
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { becomeProjectNode } from "./setup/run.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureNpmPackages();
ensureSystemPackages("build");
ensureKeeper();
becomeProjectNode("scripts/demo.ts", process.argv.slice(2));
