// Files that belong to this package, found from the sources and from a bundle alike.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the first folder at or above `from` that has it; undefined when none has. */
export function findPackageFile(relativePath: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, relativePath);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
