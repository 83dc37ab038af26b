// One daemon per home, proven by the kernel: a flock on a description that this process holds open for life. Node has no flock, so the
// keeper binary takes it on the descriptor it inherits; the lock stays with the description, that is, with us.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { HoldfastError } from "../protocol/errors.ts";

/** A flock needs no right to write: on a read-only home the file of an earlier daemon serves. */
function openLock(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EROFS") return openSync(path, "r");
    throw error;
  }
}

export class HomeLock {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws HoldfastError DAEMON_RUNNING when another process has it */
  static async take(path: string, binary: string): Promise<HomeLock> {
    const descriptor = openLock(path);
    const child = spawn(binary, ["lock", "3"], {
      stdio: ["ignore", "ignore", "ignore", descriptor],
      env: {},
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code === 0) return new HomeLock(descriptor);
    closeSync(descriptor);
    if (code === 1)
      throw new HoldfastError("DAEMON_RUNNING", "Another daemon has this home.", { details: { lock: path } });
    throw new HoldfastError(
      "INTERNAL",
      `The lock ${path} could not be taken: keeper lock ended with ${code}.`,
    );
  }

  release(): void {
    closeSync(this.#descriptor);
  }
}
