// Writes a file so that a reader sees the old one or the new one, also after a power cut.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface FileOwnership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * A symbolic link stays one, and its target is replaced. Mode 0600, or as given.
 * @throws what the file system says; then the old file is as it was
 */
export function replaceFile(file: string, text: string, ownership?: FileOwnership): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const target = targetOf(file);
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeSynced(temporary, text, ownership);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Where a path leads, also by a link to what is not there yet. Whatever else is wrong with it, the write says. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return danglingTarget(file) ?? file;
  }
}

function danglingTarget(file: string): string | undefined {
  try {
    return resolve(dirname(file), readlinkSync(file));
  } catch {
    return undefined; // no link
  }
}

function writeSynced(file: string, text: string, ownership: FileOwnership | undefined): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    if (ownership !== undefined) own(descriptor, ownership);
    for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function own(descriptor: number, { mode, uid, gid }: FileOwnership): void {
  // Root changes the file of another user: it stays that user's. Before the mode, which a change of owner may narrow.
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o777);
}
