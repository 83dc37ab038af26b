// A program that waits until it may run: it has its pid, and so can own a lock, before its first instruction. It goes on when we
// are killed, and never begins when that happens too early.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import { HoldfastError } from "../../protocol/errors.ts";

const gateDescriptor = 3;

export class GatedChild {
  readonly #child: ChildProcess;
  /** As a shell tells it: the exit code, or 128 + the number of the signal that ended it. */
  readonly exitCode: Promise<number>;

  /** `keeper`: the keeper's program, which is the gate (keeper/CONTRACT.md §8). */
  constructor(keeper: string, argv: readonly string[], environment: NodeJS.ProcessEnv) {
    // Told by bin/holdfast: the soft limit of open files before Node raised it.
    const { HOLDFAST_SOFT_NOFILE: softNofile = "-", ...variables } = environment;
    this.#child = spawn(keeper, ["gate", String(gateDescriptor), softNofile, ...argv], {
      stdio: ["inherit", "inherit", "inherit", "pipe"],
      env: variables,
    });
    // Killed before it was let through: told by its exit code.
    this.#gate.on("error", () => undefined);
    this.exitCode = once(this.#child, "exit").then((ended) => {
      const [code, signal] = ended as [number | null, NodeJS.Signals | null];
      return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    });
  }

  /** @throws HoldfastError SYSTEM_ERROR when it could not be made */
  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new HoldfastError("SYSTEM_ERROR", "The command cannot be started.");
    return pid;
  }

  /** Lets it run. */
  open(): void {
    this.#gate.end(".");
  }

  /** It shall never run. */
  cancel(): void {
    this.#gate.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  get #gate(): Writable {
    return this.#child.stdio[gateDescriptor] as Writable; // asked for as a pipe
  }
}
