// Everything a directory holds, for the question whether somebody touched it.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Path → kind, mode, times and content. Of directories also the time, which tells of files that came and went. */
export function snapshotOf(directory: string): Record<string, string> {
  const found: Record<string, string> = { ".": factsOf(directory) };
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }))
    found[name] = factsOf(join(directory, name));
  return found;
}

function factsOf(path: string): string {
  const { mode, mtimeMs, ino, size, ...stat } = lstatSync(path);
  void stat;
  const isFile = (mode & 0o170000) === 0o100000;
  const content = isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
  return `${mode.toString(8)} ${mtimeMs} ${ino} ${isFile ? size : ""} ${content}`;
}
