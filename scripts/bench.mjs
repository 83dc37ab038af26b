// npm run bench NAME: one benchmark, on the project's Node and a freshly built keeper.
import { ensureKeeper } from "./setup/keeper.mjs";
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { becomeProjectNode } from "./setup/run.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureNpmPackages();
ensureSystemPackages("build");
ensureKeeper();
becomeProjectNode("bench/run.ts", process.argv.slice(2));
