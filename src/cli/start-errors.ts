// What a daemon says on standard error before it is ready is ours to tell; what comes later is in its log.
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorRegistry, HoldfastError, type ErrorCode, type ErrorDetails } from "../protocol/errors.ts";

const mostErrorBytes = 16_384;

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details: ErrorDetails;
}

/** A file nobody can see: a pipe would break when we go, and the daemon's next warning would end it. */
export class StartErrors {
  readonly descriptor: number;

  constructor() {
    const path = join(tmpdir(), `holdfast-start-${process.pid}-${crypto.randomUUID()}`);
    this.descriptor = openSync(path, "wx+", 0o600);
    rmSync(path);
  }

  /** Without the warnings of Node itself. */
  text(): string {
    const buffer = Buffer.alloc(Math.min(fstatSync(this.descriptor).size, mostErrorBytes));
    readSync(this.descriptor, buffer, 0, buffer.length, 0);
    const lines = buffer.toString().split("\n");
    return lines
      .filter((line) => !/^\(node:\d+\)|^\(Use `node --trace/.test(line))
      .join("\n")
      .trim();
  }

  /** Why it did not start, if it came so far as to say. */
  refusal(): HoldfastError | undefined {
    const line = this.text()
      .split("\n")
      .findLast((text) => text.startsWith('{"error":'));
    if (line === undefined) return undefined;
    try {
      const { code, message, hint, details } = (JSON.parse(line) as { error: Refusal }).error; // made by our own daemon
      if (!Object.hasOwn(errorRegistry, code)) return undefined; // of another release
      return new HoldfastError(code, message, { hint, details });
    } catch {
      return undefined; // cut off
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}
