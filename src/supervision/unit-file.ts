// The unit file on disk: read, put in place in one step, taken away.
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";

/** Service managers read it as another user than ours. */
const unitMode = 0o644;

/** Undefined when there is none. A link is no file of ours: systemd makes one to /dev/null of what it must not start. */
export function readUnit(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? "" : readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return undefined;
    }
    throw systemError(error, `${file} cannot be read`);
  }
}

/** A reader sees the old file or the new one, also after a power cut. @throws HoldfastError SYSTEM_ERROR */
export function writeUnit(file: string, text: string): void {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeSynced(temporary, text);
    chmodSync(temporary, unitMode); // whatever the umask took away
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw systemError(error, `${file} cannot be written`);
  }
}

/** @throws HoldfastError SYSTEM_ERROR */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw systemError(error, `${file} cannot be removed`);
  }
}

function writeSynced(file: string, text: string): void {
  const descriptor = openSync(file, "wx", unitMode);
  try {
    for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written there is nothing to remove either; the first error is the one to tell.
  }
}

function systemError(error: unknown, what: string): HoldfastError {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isDenied = code === "EACCES" || code === "EPERM";
  return new HoldfastError("SYSTEM_ERROR", `${what}: ${reason}`, {
    details: { code },
    cause: error,
    ...(isDenied ? { hint: "Ask as a user who may change it: for a system unit that is root." } : {}),
  });
}
