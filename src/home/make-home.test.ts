import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "./make-home.ts";

test("makes what is missing, for its owner alone, and leaves what is there", () => {
  const root = mkdtempSync(join(homedir(), "make-"));
  makeHome(join(root, "a/b"));
  makeHome(join(root, "a/b"));
  expect(statSync(join(root, "a/b")).mode & 0o777).toBe(0o700);
});

test("refuses at once what can be no directory", () => {
  const file = join(mkdtempSync(join(homedir(), "make-")), "file");
  writeFileSync(file, "");
  const places = [
    file,
    join(file, "below"),
    ...(process.platform === "linux" ? ["/proc/x", "/proc/x/y"] : []),
  ];
  for (const place of places)
    expect(() => makeHome(place), place).toThrow(expect.objectContaining({ code: "HOME_UNUSABLE" }));
});
