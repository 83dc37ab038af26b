// Which holdfast.yaml is a project's.
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { configFileName } from "./config-file.ts";

export interface ProjectFile {
  readonly path: string;
  /** Another one after every change of the file. */
  readonly stamp: string;
}

/**
 * The file of the project that a directory belongs to: the nearest one upward. Passed over are
 * - the home's own file, also when it is reached by another path;
 * - a file of somebody who is neither this user, nor root, nor the owner of the directory: in /tmp anybody can put one
 *   above the work of others.
 */
export async function findProjectFile(directory: string, home: string): Promise<ProjectFile | undefined> {
  const start = resolve(directory);
  const paths = upward(start).map((above) => join(above, configFileName));
  // At once: every start waits for them.
  const [own, homeFile, ...found] = await Promise.all(
    [start, join(home, configFileName), ...paths].map(statOf),
  );
  const here = { user: process.getuid?.(), directoryOwner: own?.uid };
  const isProjects = (facts: Stats | undefined): boolean => {
    if (facts?.isFile() !== true || !isTrustedOwner(facts.uid, here)) return false;
    return facts.ino !== homeFile?.ino || facts.dev !== homeFile.dev;
  };
  const nearest = found.findIndex(isProjects);
  const [path, facts] = [paths[nearest], found[nearest]];
  if (path === undefined || facts === undefined) return undefined;
  return { path, stamp: [facts.dev, facts.ino, facts.size, facts.mtimeMs, facts.ctimeMs].join(" ") };
}

/** The directory and all it lies in. */
function upward(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upward(above)];
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
async function statOf(path: string): Promise<Stats | undefined> {
  // EACCES and ENOTDIR on the way up say the same as a missing file.
  return await stat(path).catch(() => undefined);
}
