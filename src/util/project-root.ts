// Which project a directory belongs to.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const rootMarks = [".git", ".hg", ".jj"];

/** The nearest directory above that is a checkout; else the directory itself. */
export function projectRoot(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (rootMarks.some((mark) => existsSync(join(at, mark)))) return at;
    if (dirname(at) === at) return directory;
  }
}
