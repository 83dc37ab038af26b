// npm start: from a fresh clone to a running daemon. npm run demo: to the keeper at work.
import { ensureKeeper } from "./setup/keeper.mjs";
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { becomeProjectNode } from "./setup/run.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureNpmPackages();
ensureSystemPackages("build");
ensureKeeper();
const [program = "scripts/first-steps.ts", ...rest] = process.argv.slice(2);
becomeProjectNode(program, rest);
