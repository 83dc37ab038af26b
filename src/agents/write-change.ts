// Puts a planned change in place: the file as it was is kept beside it, and nobody ever sees half of the new one.
import { chownSync, constants, copyFileSync, existsSync } from "node:fs";
import { HoldfastError } from "../protocol/errors.ts";
import { replaceFile, targetOf } from "../util/replace-file.ts";
import type { Change } from "./plan-change.ts";
import { readFile } from "./read-file.ts";

export interface WrittenChange {
  /** Where the file as it was is kept; undefined when there was none. */
  readonly backup: string | undefined;
}

/** @throws HoldfastError AGENT_CONFIG_CHANGED, SYSTEM_ERROR; then the file is as it was */
export function writeChange({ stored, text = stored.text }: Change, now: Date): WrittenChange {
  const { path, bytes } = stored;
  const current = readFile(path).bytes;
  const isSame = bytes === undefined ? current === undefined : current?.equals(bytes) === true;
  if (!isSame) {
    throw new HoldfastError("AGENT_CONFIG_CHANGED", `${path} changed in the meantime; nothing was written.`, {
      details: { file: path },
    });
  }
  try {
    const backup = bytes === undefined ? undefined : keepBackup(targetOf(path), now);
    const { ownership } = stored;
    if (backup !== undefined && ownership !== undefined && process.getuid?.() === 0) {
      chownSync(backup, ownership.uid, ownership.gid);
    }
    replaceFile(path, `${stored.byteOrderMark}${text}`, ownership);
    return { backup };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("SYSTEM_ERROR", `${path} cannot be written: ${reason}`, { cause: error });
  }
}

/** Beside the file, with its mode; an earlier one is never overwritten. */
function keepBackup(file: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  for (let count = 1; ; count++) {
    const backup = `${file}.holdfast-${stamp}${count === 1 ? "" : `-${count}`}`;
    if (existsSync(backup)) continue;
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    return backup;
  }
}
