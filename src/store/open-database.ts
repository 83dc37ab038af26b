// Opens the file of a store: for writing if that is possible, else for reading.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HoldfastError } from "../protocol/errors.ts";
import { damaged, examineFile, isLogWithoutFile, openForReading } from "./examine-file.ts";
import { refuseNewer, storeVersion } from "./migrate.ts";
import { companions } from "./set-aside.ts";
import { sqliteResultCode, storeError } from "./store-error.ts";

// There is one writer, so nobody holds the lock for long; the wait blocks the whole program.
const busyTimeoutMs = 250;
// After a burst the log shrinks again to this.
const keptLogBytes = 16 * 1024 * 1024;
const pageBytes = 4_096;
const cannotOpen = 14;
// What was put off is written at once when there is room again: a few hundred rows must find some.
const leastRoomBytes = 1024 * 1024;

export interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly location: string;
  /** As found: 0 for an empty one. */
  readonly version: number;
  readonly access: "read-write" | "read-only";
  /** Why it cannot be written. */
  readonly problem?: HoldfastError;
}

/** @throws HoldfastError STORE_TOO_NEW, STORE_CORRUPT, and STORE_READ_ONLY or STORE_FULL where nothing can be read */
export async function openDatabase(file: string): Promise<OpenDatabase> {
  if (isLogWithoutFile(file)) throw damaged(file, "its log is there and the file is not");
  const obstacle = findObstacle(file);
  const isThere = existsSync(file);
  if (!isThere && obstacle !== undefined) throw obstacle;
  const version = isThere ? await examineFile(file) : 0;
  refuseNewer(file, version);
  if (obstacle !== undefined) return openReadOnly(file, version, obstacle);
  try {
    return { database: openForWriting(file), location: file, version, access: "read-write" };
  } catch (error) {
    const told = isDiskFull(file, error) ? full(file, error) : storeError(error, { file });
    if (told.code !== "STORE_FULL" && told.code !== "STORE_READ_ONLY") throw told;
    return openReadOnly(file, version, told);
  }
}

/** A store that could only be read, opened for writing; undefined while that does not work. */
export function openAgainForWriting(file: string): DatabaseSync | undefined {
  try {
    if (findObstacle(file) !== undefined || roomBytes(dirname(file)) < leastRoomBytes) return undefined;
    return openForWriting(file);
  } catch {
    return undefined; // why not was told when it was opened for reading
  }
}

function roomBytes(directory: string): number {
  const { bsize, bfree, bavail } = statfsSync(directory);
  return bsize * (process.getuid?.() === 0 ? bfree : bavail);
}

/** Undefined if the file and its directory can be written. Asked of the kernel: permission bits do not stop root. */
function findObstacle(file: string): HoldfastError | undefined {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return storeError(error, { file });
  }
}

function openReadOnly(file: string, version: number, obstacle: HoldfastError): OpenDatabase {
  // Nothing of an empty or older store can be read by this build before it is brought up to date.
  if (version < storeVersion) throw obstacle;
  const { database, location, isStale } = openForReading(file);
  const note = isStale ? " The newest changes are in its -wal file, which cannot be read here." : "";
  const problem = new HoldfastError(obstacle.code, `${obstacle.message} It can only be read.${note}`, {
    details: { ...obstacle.details, file, isStale },
    hint: "Make room on the disk or make the home writable; a daemon then goes on by itself.",
    cause: obstacle,
  });
  return { database, location, version, access: "read-only", problem };
}

function openForWriting(file: string): DatabaseSync {
  // SQLite gives the log and its index the permissions of the file.
  if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
  for (const path of ["", ...companions].map((suffix) => file + suffix)) closeToOthers(path);
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    database.exec(`pragma journal_size_limit = ${keptLogBytes};`);
    // Seldom: moving the log into the database waits for the disk, and the daemon with it.
    database.exec(`pragma wal_autocheckpoint = ${keptLogBytes / pageBytes};`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o777) !== 0o600) chmodSync(path, 0o600);
}

/** On a full disk the files beside the database cannot be made, and SQLite only says that it cannot open them. */
function isDiskFull(file: string, error: unknown): boolean {
  return sqliteResultCode(error) === cannotOpen && statfsSync(dirname(file)).bfree === 0;
}

function full(file: string, cause: unknown): HoldfastError {
  return new HoldfastError("STORE_FULL", `The disk of the store ${file} is full.`, {
    details: { file },
    cause,
  });
}
