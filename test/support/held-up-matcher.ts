// Holds up whoever looks through the stored output of an ended run: its index is a pipe that nobody writes to, so that opening it
// waits. The output itself, its size and how the run ended can be read all the while.
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";

/** Returns how to let it go on. The run must have ended: a living one is read by its keeper's socket. */
export function holdUpMatcher(runDirectory: string): () => void {
  const indexes = readdirSync(runDirectory).filter((name) => name.endsWith(".idx"));
  expect(indexes).toHaveLength(1);
  const path = join(runDirectory, indexes[0] ?? "");
  renameSync(path, `${path}.kept`);
  expect(spawnSync("mkfifo", ["-m", "600", path]).status).toBe(0);
  let isHeld = true;
  const letGo = (): void => {
    if (!isHeld) return;
    isHeld = false;
    renameSync(path, `${path}.pipe`);
    renameSync(`${path}.kept`, path);
    // Wakes whoever waits for a writer; what it reads there is no index, and it looks again.
    closeSync(openSync(`${path}.pipe`, constants.O_RDWR | constants.O_NONBLOCK));
  };
  onTestFinished(letGo);
  return letGo;
}
