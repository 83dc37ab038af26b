// Writes a configuration file, and tells in our words when that fails.
import { HoldfastError } from "../protocol/errors.ts";
import { replaceFile as replace } from "../util/replace-file.ts";

/** Mode 0600; a symbolic link stays one, and its target is replaced. @throws HoldfastError SYSTEM_ERROR */
export function replaceFile(file: string, text: string): void {
  try {
    replace(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const errno = error instanceof Error && "errno" in error ? error.errno : undefined;
    throw new HoldfastError("SYSTEM_ERROR", `${file} cannot be written: ${reason}`, {
      details: { errno },
      cause: error,
    });
  }
}
