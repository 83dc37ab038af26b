import { mkdirSync, mkdtempSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LockWatch } from "./lock-watch.ts";

function newDirectory(): string {
  return mkdtempSync(join(homedir(), "d-"));
}

// Longer than a test may take: only an event ends the wait.
const neverMs = 3_600_000;

function newLock(): string {
  const path = join(newDirectory(), "lock");
  mkdirSync(path);
  writeFileSync(join(path, "claim"), "");
  return path;
}

/** Ends with the test's own time limit when nothing wakes it. */
async function wakesOn(path: string, work: () => void): Promise<boolean> {
  const watch = new LockWatch(path, neverMs);
  work();
  await watch.wait(neverMs, undefined);
  watch.close();
  return true;
}

test("a removed claim, a removed lock and a replaced lock wake at once, also when that came before the wait", async () => {
  const path = newLock();
  expect(await wakesOn(path, () => unlinkSync(join(path, "claim")))).toBe(true);
  expect(await wakesOn(path, () => rmdirSync(path))).toBe(true);
  const other = newLock();
  unlinkSync(join(other, "claim"));
  expect(await wakesOn(other, () => renameSync(newLock(), other))).toBe(true);
});

test("a lock that is not there needs no waiting", async () => {
  expect(await wakesOn(join(newDirectory(), "none"), () => undefined)).toBe(true);
});

test("the owner is looked at from time to time, and not after the time is up", async () => {
  const often = new LockWatch(newLock(), 1);
  await expect(often.wait(neverMs, undefined)).resolves.toBeUndefined();
  often.close();
  const rarely = new LockWatch(newLock(), neverMs);
  await expect(rarely.wait(1, undefined)).resolves.toBeUndefined();
  rarely.close();
});

test("an abort ends the wait with its reason", async () => {
  const watch = new LockWatch(newLock(), neverMs);
  const reason = new Error("enough");
  const controller = new AbortController();
  const waiting = watch.wait(neverMs, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(watch.wait(neverMs, controller.signal)).rejects.toBe(reason);
  watch.close();
});
