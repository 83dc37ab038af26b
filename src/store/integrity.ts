// Is a database file sound? A small one is checked where the question is asked, a large one in a thread of its own.
import { statSync } from "node:fs";
import * as sqlite from "node:sqlite";
import { Worker } from "node:worker_threads";
import { HoldfastError } from "../protocol/errors.ts";
import { sqliteResultCode, storeError } from "./store-error.ts";

// Measured: 15 MB take 19 ms of processor time; a thread takes 30 ms to begin.
const checkedHereBytes = 8 * 1024 * 1024;

interface Finding {
  readonly problems: string[];
  readonly failure?: { readonly message: string; readonly errcode: number | undefined };
}

/** What is wrong with the file, in words of SQLite; empty when it is sound. @throws HoldfastError STORE_… */
export async function findDamage(file: string, location: string): Promise<string[]> {
  if (statSync(file).size > checkedHereBytes) return await findDamageInWorker(location);
  try {
    return quickCheck(sqlite, location);
  } catch (error) {
    return judgeFailure(error);
  }
}

/** The same in a thread, on a connection of its own, whatever the size. */
export async function findDamageInWorker(location: string): Promise<string[]> {
  // From its own source and not from a file: a bundle has no file for it.
  const source = `(${workerMain.toString()})(${quickCheck.toString()}, ${JSON.stringify(location)})`;
  const worker = new Worker(source, { eval: true, execArgv: [] });
  const finding = await new Promise<Finding>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      reject(new HoldfastError("INTERNAL", "The integrity check ended without an answer."));
    });
  });
  // The next check of a file that is set aside meanwhile must not find this connection still open.
  await worker.terminate();
  if (finding.failure === undefined) return finding.problems;
  const { message, errcode } = finding.failure;
  return judgeFailure(
    errcode === undefined ? new Error(message) : Object.assign(new Error(message), { errcode }),
  );
}

/** A file too damaged to be checked is damaged. */
function judgeFailure(error: unknown): string[] {
  const told = storeError(error);
  if (told.code !== "STORE_CORRUPT") throw told;
  return [`${String(told.details["reason"])} (${String(sqliteResultCode(error))})`];
}

// These two are sent to the thread as text: they use nothing of this file.

function quickCheck({ DatabaseSync }: typeof sqlite, location: string): string[] {
  const database = new DatabaseSync(location, { readOnly: true, timeout: 1_000 });
  try {
    const rows = database.prepare("pragma quick_check(20)").all();
    return rows.flatMap((row) => Object.values(row).map(String)).filter((line) => line !== "ok");
  } finally {
    database.close();
  }
}

function workerMain(check: typeof quickCheck, location: string): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  let finding: Finding;
  try {
    finding = { problems: check(process.getBuiltinModule("node:sqlite"), location) };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    finding = { problems: [], failure: { message, errcode } };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(finding);
}
