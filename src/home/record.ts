// daemon.json: who has the lock of this home. For people and tools; what proves that somebody has it is the lock.
import { rmSync } from "node:fs";
import type { DaemonRecord } from "../protocol/daemon.ts";
import { identityOf, type SharedIdentity } from "../util/process-identity.ts";
import { readJsonFile, writeJsonFile } from "./atomic-file.ts";
import { homeFiles } from "./files.ts";
import { parseRecord } from "./stored-shapes.ts";

/** Of this process. Without /proc (macOS) its start time is told as 0 and its boot as empty: known to nobody. */
export function ownRecord(home: string, version: string, isEmbedded: boolean): DaemonRecord {
  const { pid } = process;
  const identity = identityOf(pid) ?? { pid, startTime: 0, bootId: "", pidNamespace: "" };
  return { ...identity, argv: [...process.argv], home, version, isEmbedded };
}

/** By the one that holds the lock. @throws what the file system says */
export function writeRecord(record: DaemonRecord): void {
  writeJsonFile(homeFiles(record.home).record, record);
}

export function readRecord(home: string): DaemonRecord | undefined {
  return parseRecord(readJsonFile(homeFiles(home).record));
}

/** Only if it still names this one: whoever was replaced goes late, and its successor's record stays. */
export function removeRecord(record: DaemonRecord): void {
  const found = readRecord(record.home);
  if (found === undefined || !isSameProcess(found, record)) return;
  try {
    rmSync(homeFiles(record.home).record, { force: true });
  } catch {
    // On a disk that cannot be written it stays, and counts as stale.
  }
}

export function isSameProcess(one: SharedIdentity, other: SharedIdentity): boolean {
  return (
    one.pid === other.pid &&
    one.startTime === other.startTime &&
    one.bootId === other.bootId &&
    one.pidNamespace === other.pidNamespace
  );
}
