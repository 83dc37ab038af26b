// A damaged store is moved out of the way with everything that belongs to it. Nothing is deleted: somebody may want to
// look at it, and SQLite's own tools find the parts by these names.
import { existsSync, renameSync } from "node:fs";
import { HoldfastError } from "../protocol/errors.ts";
import { storeError } from "./store-error.ts";

export const companions = ["-wal", "-shm", "-journal"] as const;

/**
 * Where the file is now. Killed halfway, the rest is found by the next start and moved then: a log without its database
 * is damage too (examine-file.ts).
 */
export function setAside(file: string, now: Date = new Date()): string {
  const target = freeName(`${file}.corrupt-${now.toISOString().replaceAll(/[-:]/g, "")}`);
  for (const suffix of ["", ...companions]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  return target;
}

function freeName(wanted: string): string {
  const isFree = (name: string): boolean => ["", ...companions].every((suffix) => !existsSync(name + suffix));
  for (let count = 1, name = wanted; ; name = `${wanted}-${++count}`) if (isFree(name)) return name;
}

/** @throws the damage itself where the file cannot be moved */
export function replaceDamaged(file: string, damage: HoldfastError): HoldfastError {
  try {
    const path = setAside(file);
    return new HoldfastError(
      "STORE_CORRUPT",
      `${damage.message} It is kept as ${path}; a new store takes its place.`,
      {
        details: { ...damage.details, file, setAside: path },
        hint: "Nothing was deleted; what the run directories hold is in the new store.",
        cause: damage,
      },
    );
  } catch (error) {
    const reason = storeError(error).message;
    throw new HoldfastError("STORE_CORRUPT", `${damage.message} It cannot be set aside: ${reason}`, {
      details: { ...damage.details, file },
      hint: "Make the home writable, then start again.",
      cause: damage,
    });
  }
}
