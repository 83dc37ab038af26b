// Which holdfast.yaml is a project's.
import { statSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { configFileName } from "./config-file.ts";

/**
 * The file of the project that a directory belongs to: the nearest one upward. Passed over are
 * - the home's own file, also when it is reached by another path;
 * - a file of somebody who is neither this user, nor root, nor the owner of the directory: in /tmp anybody can put one
 *   above the work of others, and a configuration names programs to run.
 */
export function findProjectFile(directory: string, home: string): string | undefined {
  const start = resolve(directory);
  const here = { user: process.getuid?.(), directoryOwner: statOf(start)?.uid };
  const homeFile = statOf(join(home, configFileName));
  for (let above = start; ; above = dirname(above)) {
    const file = join(above, configFileName);
    const facts = statOf(file);
    const isHomeFile = facts?.ino === homeFile?.ino && facts?.dev === homeFile?.dev;
    if (facts?.isFile() && !isHomeFile && isTrustedOwner(facts.uid, here)) return file;
    if (above === dirname(above)) return undefined;
  }
}

/** May the file of this user decide for somebody who works in a directory? */
export function isTrustedOwner(
  owner: number,
  {
    user,
    directoryOwner,
  }: { readonly user: number | undefined; readonly directoryOwner: number | undefined },
): boolean {
  return owner === 0 || owner === user || owner === directoryOwner;
}

/** Undefined for what is not there or out of reach: then it cannot be a project's file either. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // EACCES and ENOTDIR on the way up say the same as a missing file.
    return undefined;
  }
}
