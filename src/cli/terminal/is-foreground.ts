// Does the terminal belong to this program now? One in the background that reads its terminal is stopped by the kernel.
import { readFileSync } from "node:fs";

// As the kernel says it of a process without a terminal.
const noTerminal = "-1";

/** True where nobody can tell. */
export function isForeground(): boolean {
  const groups = readGroups();
  return groups === undefined || groups.own === groups.foreground || groups.foreground === noTerminal;
}

/** Do the keys that interrupt reach this program and everything it runs? Where nobody can tell: if it has a terminal. */
export function hasKeyboard(): boolean {
  const groups = readGroups();
  return groups === undefined ? process.stdin.isTTY : groups.own === groups.foreground;
}

function readGroups():
  | { readonly own: string | undefined; readonly foreground: string | undefined }
  | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may hold anything: state, parent, group, session, terminal, the terminal's foreground group.
    const [, , own, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { own, foreground };
  } catch {
    return undefined; // no /proc
  }
}
