// Errors of SQLite and of the file system around it, as errors of the registry.
import { HoldfastError, type ErrorCode } from "../protocol/errors.ts";

// Primary result codes: the low byte of what SQLite reports (sqlite.org/rescode.html).
const codes: Readonly<Record<number, ErrorCode>> = {
  5: "STORE_BUSY",
  6: "STORE_BUSY",
  8: "STORE_READ_ONLY",
  11: "STORE_CORRUPT",
  13: "STORE_FULL",
  26: "STORE_CORRUPT",
};
const uniqueViolations = new Set([1555, 2067, 2579]);
/** No room for the shared index of the write-ahead log. */
const sharedMemoryFull = 4874;

const systemCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
  EROFS: "STORE_READ_ONLY",
  EACCES: "STORE_READ_ONLY",
  EPERM: "STORE_READ_ONLY",
};

const sentences: Partial<Record<ErrorCode, string>> = {
  STORE_BUSY: "Another program holds the store locked",
  STORE_READ_ONLY: "The store cannot be written",
  STORE_CORRUPT: "The store is damaged",
  STORE_FULL: "The disk of the store is full",
};

/** Any error of a call to SQLite or of a file operation on the store; a HoldfastError stays what it is. */
export function storeError(error: unknown, details: Readonly<Record<string, unknown>> = {}): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const resultCode = sqliteResultCode(error);
  if (resultCode !== undefined && uniqueViolations.has(resultCode)) return conflict(reason, error);
  const code = resultCode === undefined ? fromSystem(error) : fromSqlite(resultCode);
  const message = `${sentences[code] ?? "The store failed"}: ${reason}.`;
  return new HoldfastError(code, message, { details: { ...details, reason, resultCode }, cause: error });
}

function fromSqlite(resultCode: number): ErrorCode {
  if (resultCode === sharedMemoryFull) return "STORE_FULL";
  return codes[resultCode & 0xff] ?? "STORE_FAILED";
}

function fromSystem(error: unknown): ErrorCode {
  const name = error instanceof Error && "code" in error ? String(error.code) : "";
  return systemCodes[name] ?? "STORE_FAILED";
}

/** "UNIQUE constraint failed: processes.name, …" */
function conflict(reason: string, cause: unknown): HoldfastError {
  const columns = reason.slice(reason.indexOf(":") + 1).split(",");
  const names = columns.map((name) => name.trim());
  const message = `The store already has a row with this ${names.join(" and ")}.`;
  return new HoldfastError("STORE_CONFLICT", message, { details: { columns: names }, cause });
}

/** The extended result code, if this is an error of SQLite. */
export function sqliteResultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
