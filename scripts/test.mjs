// npm test: from a fresh clone through every gate.
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { becomeProjectNode } from "./setup/run.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureNpmPackages();
ensureSystemPackages("test");
becomeProjectNode("scripts/gates/run.ts", ["format", "lint", "types", "unit", "build", "c", "real"]);
