import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { watchFile } from "./watch-file.ts";

const root = mkdtempSync(join(tmpdir(), "watch-file-"));
afterAll(() => rmSync(root, { recursive: true }));

const forEver = new AbortController().signal;
/** A directory that is there, and the name of a file in it that is not. */
function place(name: string): { directory: string; path: string } {
  const directory = join(root, name, "inner");
  mkdirSync(directory, { recursive: true });
  return { directory, path: join(directory, "file") };
}

test("a file that is there, and one that comes", async () => {
  const { path } = place("comes");
  const coming = watchFile(path, forEver);
  writeFileSync(path, "");
  await expect(coming).resolves.toBeUndefined();
  await expect(watchFile(path, forEver)).resolves.toBeUndefined();
});

test("a file whose directory is removed and made again", async () => {
  const { directory, path } = place("again");
  const coming = watchFile(path, forEver);
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  writeFileSync(path, "");
  await expect(coming).resolves.toBeUndefined();
});

test("a file whose directory is moved away with the one it lies in", async () => {
  const { directory, path } = place("moved");
  const coming = watchFile(path, forEver);
  renameSync(join(root, "moved"), join(root, "elsewhere"));
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, "");
  await expect(coming).resolves.toBeUndefined();
});

test("a file whose directories come later, step by step", async () => {
  const directory = join(root, "later", "and", "later");
  const path = join(directory, "file");
  const coming = watchFile(path, forEver);
  let isThere = false;
  void coming.then(() => (isThere = true));
  mkdirSync(join(root, "later"));
  await watchFile(join(root, "later"), forEver);
  mkdirSync(directory, { recursive: true });
  await watchFile(directory, forEver);
  expect(isThere).toBe(false);
  writeFileSync(path, "");
  await expect(coming).resolves.toBeUndefined();
});

test("its signal ends it", async () => {
  const { path } = place("never");
  const over = new AbortController();
  const coming = watchFile(path, over.signal);
  over.abort(new Error("enough"));
  await expect(coming).rejects.toThrow("enough");
  await expect(watchFile(path, over.signal)).rejects.toThrow("enough");
});
