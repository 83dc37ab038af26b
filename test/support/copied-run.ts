// Run directories that no keeper of today would leave: made by copying a real one and changing what the test needs.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runDirectory } from "../../src/keeper/index.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";

export interface CopiedRun {
  readonly home: string;
  readonly from: string;
  readonly to: string;
}

/** A copy of an ended run under another id, without its end: what a crash of everything leaves. */
export function copyWithoutEnd({ home, from, to }: CopiedRun): string {
  const directory = runDirectory(home, to);
  cpSync(runDirectory(home, from), directory, { recursive: true });
  rmSync(join(directory, "exit"), { force: true });
  replaceLine(directory, "spec", "id", to);
  return directory;
}

/** Sets the value of a key in `spec` or `keeper`. */
export function replaceLine(directory: string, file: "spec" | "keeper", key: string, value: string): void {
  const path = join(directory, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(new RegExp(`^${key} .*$`, "gm"), `${key} ${value}`));
}

/** Makes the run look as if the given, foreign process were its child, with that process's true start time. */
export function pointAtProcess(directory: string, pid: number): void {
  replaceLine(directory, "spec", "child_pid", String(pid));
  replaceLine(directory, "spec", "child_start", String(readProcessStat(pid)?.startTime));
}
