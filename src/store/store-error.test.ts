import { expect, test } from "vitest";
import { HoldfastError } from "../protocol/errors.ts";
import { storeError } from "./store-error.ts";

const fromSqlite = (errcode: number, message = "reason") => Object.assign(new Error(message), { errcode });
const fromSystem = (code: string) => Object.assign(new Error("reason"), { code });

test.for([
  [5, "STORE_BUSY"],
  [517, "STORE_BUSY"],
  [6, "STORE_BUSY"],
  [8, "STORE_READ_ONLY"],
  [1032, "STORE_READ_ONLY"],
  [11, "STORE_CORRUPT"],
  [267, "STORE_CORRUPT"],
  [26, "STORE_CORRUPT"],
  [13, "STORE_FULL"],
  [4874, "STORE_FULL"],
  [778, "STORE_FAILED"],
  [14, "STORE_FAILED"],
] as const)("result code %d of SQLite is %s", ([errcode, code]) => {
  const cause = fromSqlite(errcode);
  const told = storeError(cause, { file: "/x" });
  expect(told).toMatchObject({ code, cause, details: { file: "/x", reason: "reason", resultCode: errcode } });
  expect(told.message).toMatch(/: reason\.$/);
});

test.for([
  ["ENOSPC", "STORE_FULL"],
  ["EDQUOT", "STORE_FULL"],
  ["EROFS", "STORE_READ_ONLY"],
  ["EACCES", "STORE_READ_ONLY"],
  ["EPERM", "STORE_READ_ONLY"],
  ["EIO", "STORE_FAILED"],
] as const)("%s of the file system is %s", ([name, code]) => {
  expect(storeError(fromSystem(name)).code).toBe(code);
});

test("a value that must be unique is told with its columns", () => {
  const told = storeError(fromSqlite(2067, "UNIQUE constraint failed: labels.process_id, labels.key"));
  expect(told).toMatchObject({
    code: "STORE_CONFLICT",
    details: { columns: ["labels.process_id", "labels.key"] },
  });
});

test("an error of the registry stays what it is, and anything else is wrapped", () => {
  const own = new HoldfastError("STORE_CLOSED", "closed");
  expect(storeError(own)).toBe(own);
  expect(storeError("text")).toMatchObject({ code: "STORE_FAILED", details: { reason: "text" } });
});
