// The temporary directory a test file owns. The setup file makes and removes it; tests put their homes,
// sockets and scratch files inside, so that nothing outlives the file.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** HOME of this test file: removed at its end, after the leak check. */
export function testDirectory(): string {
  const directory = process.env["HOME"];
  if (!directory?.includes("/hf-")) throw new Error("not inside a test file: HOME is not a test directory");
  return directory;
}

/** A fresh, empty Holdfast home (0700) inside the test directory. */
export function newTestHome(): string {
  return mkdtempSync(join(testDirectory(), "h-"));
}

/** Makes the directory for the test file that is starting. Only the setup file calls this. */
export function makeTestDirectory(): string {
  const base = tmpdir();
  mkdirSync(base, { recursive: true });
  // A short name: a Unix socket path holds 108 bytes on Linux and 104 on macOS.
  return mkdtempSync(join(base, "hf-"));
}
