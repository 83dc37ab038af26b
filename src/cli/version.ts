// The release this command line is from.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The first package.json above this file, which is ours from src/ and from the bundle alike. */
export function readVersion(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      return (JSON.parse(text) as { version: string }).version; // our own file
    } catch {
      if (folder === dirname(folder)) return "unknown"; // a bundle that was moved away from its package
    }
  }
}
