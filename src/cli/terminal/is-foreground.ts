// Does the terminal belong to this program now? One in the background that reads its terminal is stopped by the kernel.
import { readFileSync } from "node:fs";

/** True where nobody can tell. */
export function isForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may hold anything: state, parent, group, session, terminal, the terminal's foreground group.
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foregroundGroup || foregroundGroup === "-1";
  } catch {
    return true; // no /proc
  }
}
