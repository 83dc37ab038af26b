// All files of the log at one moment, while a daemon may be rotating them.
import { readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { LogFile } from "./log-file.ts";

export function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Oldest first; the caller closes them. */
export function openLogFiles(path: string): LogFile[] {
  for (;;) {
    const files = openNewestFirst(path);
    const newest = files.find((file) => file.path === path);
    // A rotation gives the path another file, and a file that is held open keeps its number to itself: if this one is still
    // there, none has come in between.
    if (newest?.inode === inodeAt(path)) return files.toReversed();
    for (const file of files) file.close();
  }
}

/** A rotation moves files to higher numbers: counting upwards meets each at least once, and one that is met again is known. */
function openNewestFirst(path: string): LogFile[] {
  const files: LogFile[] = [];
  for (let number = 0; number <= highestNumber(path) + 1; number += 1) {
    const file = LogFile.open(number === 0 ? path : `${path}.${number}`);
    if (file === undefined) continue;
    if (files.some(({ inode }) => inode === file.inode)) file.close();
    else files.push(file);
  }
  return files;
}

function highestNumber(path: string): number {
  const prefix = `${basename(path)}.`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix));
  const numbers = names
    .map((name) => name.slice(prefix.length))
    .filter((text) => /^[1-9]\d{0,3}$/.test(text));
  return Math.max(0, ...numbers.map(Number));
}
