// npm run build: the keeper for this machine, in keeper/build.
import { ensureKeeper } from "./setup/keeper.mjs";
import { requirePosix } from "./setup/platform.mjs";
import { ensureSystemPackages } from "./setup/system-packages.mjs";

requirePosix();
ensureSystemPackages("build");
ensureKeeper();
