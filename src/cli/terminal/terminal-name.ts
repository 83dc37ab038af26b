// The file of the terminal this program is used at, for a bell that comes later.
import { readlinkSync } from "node:fs";
import { isatty } from "node:tty";

/** Undefined without a terminal, or where nobody can tell. */
export async function terminalName(): Promise<string | undefined> {
  // The output of a background start is often taken into a variable; the other two are the terminal all the same.
  const file = [2, 0, 1].find((descriptor) => isatty(descriptor));
  if (file === undefined) return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    // No /proc: the system's own program knows. Loaded only here: what spawns costs a command line a millisecond to load.
    const { spawnSync } = await import("node:child_process");
    const { stdout } = spawnSync("tty", { stdio: [file, "pipe", "ignore"], encoding: "utf8" });
    return stdout?.startsWith("/dev/") ? stdout.trim() : undefined;
  }
}
