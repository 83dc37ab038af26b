// Writes a file so that a reader sees the old one or the new one, also after a power cut.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";

/** Mode 0600; a symbolic link stays one, and its target is replaced. @throws HoldfastError SYSTEM_ERROR */
export function replaceFile(file: string, text: string): void {
  let temporary: string | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const target = targetOf(file);
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
    writeSynced(temporary, text);
    renameSync(temporary, target);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    const errno = error instanceof Error && "errno" in error ? error.errno : undefined;
    throw new HoldfastError("SYSTEM_ERROR", `${file} cannot be written: ${reason}`, {
      details: { errno },
      cause: error,
    });
  }
}

function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there yet; whatever else is wrong with it, the write says.
    return file;
  }
}

function writeSynced(file: string, text: string): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
