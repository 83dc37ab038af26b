// Looks at a store before it is opened for writing, and changes nothing: is it there, is it sound, which version is it?
// The file is never opened by anything but SQLite: to close it elsewhere in this process would drop SQLite's locks on it.
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { HoldfastError } from "../protocol/errors.ts";
import { findDamage } from "./integrity.ts";
import { sqliteResultCode, storeError } from "./store-error.ts";

const cannotOpen = 14;

export interface ReadingDatabase {
  readonly database: DatabaseSync;
  /** What SQLite was told to open. */
  readonly location: string;
  /** There is a log that cannot be read here: the newest changes are missing. */
  readonly isStale: boolean;
}

// The smallest page of SQLite. It takes a shorter file for an empty one, and would write over it.
const smallestDatabaseBytes = 512;

/** The version of the store; 0 for an empty one. @throws HoldfastError STORE_CORRUPT, STORE_FAILED */
export async function examineFile(file: string): Promise<number> {
  try {
    const { size } = statSync(file);
    if (size > 0 && size < smallestDatabaseBytes) throw damaged(file, `it has only ${size} bytes`);
    const { version, location } = readStoreVersion(file);
    const problems = await findDamage(file, location);
    if (problems.length > 0) throw damaged(file, problems.join("; "));
    return version;
  } catch (error) {
    throw storeError(error, { file });
  }
}

/** Of a file that is there; whether it is sound is another question. */
export function readStoreVersion(file: string): { readonly version: number; readonly location: string } {
  const { database, location } = openForReading(file);
  try {
    return { version: readVersion(database, file), location };
  } finally {
    database.close();
  }
}

/** A file that is not there although a log for it is: SQLite would read the log of the old one into a new one. */
export function isLogWithoutFile(file: string): boolean {
  return !existsSync(file) && existsSync(`${file}-wal`);
}

export function damaged(file: string, reason: string): HoldfastError {
  const details = { file, reason };
  return new HoldfastError("STORE_CORRUPT", `The store ${file} is damaged: ${reason}.`, { details });
}

/** Works in a directory that cannot be written, and leaves no new file in one that can. */
export function openForReading(file: string): ReadingDatabase {
  if (!hasLog(file)) return openFrozen(file, false);
  try {
    return { database: openAndRead(file), location: file, isStale: false };
  } catch (error) {
    // The index of the log is missing and cannot be made.
    if (sqliteResultCode(error) === cannotOpen) return openFrozen(file, true);
    throw error;
  }
}

/** As if nobody could change it: then SQLite needs neither a lock nor the files beside it. */
function openFrozen(file: string, isStale: boolean): ReadingDatabase {
  const location = `${pathToFileURL(file).href}?immutable=1`;
  return { database: openAndRead(location), location, isStale };
}

function openAndRead(location: string): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly: true, timeout: 1_000 });
  try {
    database.prepare("select count(*) from sqlite_schema").get(); // opens the files; before, nothing was
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function readVersion(database: DatabaseSync, file: string): number {
  const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
  if (names.length === 0) return 0;
  if (!names.some(({ name }) => name === "meta")) throw damaged(file, "it is a database of something else");
  const row = database.prepare("select value from meta where key = 'schema_version'").get();
  const version = Number(row?.["value"]);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw damaged(file, "it does not tell its version");
}
