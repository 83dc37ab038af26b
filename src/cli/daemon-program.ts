// Where the daemon's program is: beside this command line, in a bundle or in the sources.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export function daemonProgram(from: string = import.meta.dirname): string {
  const bundle = join(from, "daemon/main.mjs");
  if (!existsSync(bundle)) return join(from, "../daemon/main.ts");
  const root = join(from, "..");
  const sources = join(root, "src/daemon/main.ts");
  return existsSync(sources) && !isFresh(bundle, root) ? sources : bundle;
}

/** In a checkout a bundle older than one of its sources would run yesterday's code. */
export function isFresh(bundle: string, root: string): boolean {
  try {
    const builtMs = statSync(bundle).mtimeMs;
    const inputs = readFileSync(`${bundle}.inputs`, "utf8").trim().split("\n");
    return inputs.every((path) => statSync(join(root, path)).mtimeMs <= builtMs);
  } catch {
    return false; // a source is gone
  }
}
