// Small JSON files that one process writes and others read at any moment: a reader sees the old one or the new one, never a part.
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Mode 0600. @throws what the file system says: full, read-only, not ours */
export function writeJsonFile(path: string, value: unknown): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Undefined when there is none: missing, empty, half-written, garbage or unreadable. Whoever crashed while writing, or a disk that
 * lost its end, must not keep the next daemon from starting.
 */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
