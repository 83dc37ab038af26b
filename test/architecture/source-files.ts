// The files of the repository as the architecture test sees them.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

export const repository = join(import.meta.dirname, "../..");

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Folders that hold no source of ours. */
const skippedFolders = new Set(["node_modules", "build", ".git"]);

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });
}

const every: readonly string[] = walk(repository).map((path) => relative(repository, path));

/** Files under the given top folders ("" for the root itself only) whose name matches. */
export function listFiles(folders: readonly string[], name: RegExp): SourceFile[] {
  return every
    .filter((path) => name.test(basename(path)))
    .filter((path) =>
      folders.some((folder) => (folder ? path.startsWith(`${folder}/`) : !path.includes("/"))),
    )
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));
}

/** Lines of a text; the newline at its end does not begin another one. */
export function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
