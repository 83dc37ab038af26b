// npm run check: the fast loop, without the keeper and without system packages.
import { ensureNpmPackages } from "./setup/npm-packages.mjs";
import { becomeProjectNode } from "./setup/run.mjs";

ensureNpmPackages();
becomeProjectNode("scripts/gates/run.ts", ["format", "lint", "types", "unit"]);
