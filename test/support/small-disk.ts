// A file system of its own for a test: small, full, or read-only. Needs root.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { newTestHome } from "./test-home.ts";

export const canMount = process.getuid?.() === 0 && process.platform === "linux";

/** An empty directory with so much room. */
export function mountSmallDisk(size: string): string {
  const directory = newTestHome();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "holdfast-test", directory]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", directory]));
  return directory;
}

/** Changes it in place: `ro`, `rw`, `size=64m`. With `ro`, nothing in it may be open for writing. */
export function remount(directory: string, option: string): void {
  execFileSync("mount", ["-o", `remount,${option}`, directory]);
}

/** Whatever was just killed in it lets go of its files when it gets its turn. */
export async function makeReadOnly(directory: string): Promise<void> {
  await vi.waitFor(() => remount(directory, "ro"), { timeout: 20_000 });
}

/** Takes the last free page. */
export function fillDisk(directory: string): void {
  try {
    for (let count = 0; ; count++) writeFileSync(join(directory, `filler-${count}`), Buffer.alloc(4096));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
