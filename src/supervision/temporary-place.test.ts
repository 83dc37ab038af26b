import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryPlaceOf } from "./temporary-place.ts";

test("what lies in a folder that is emptied, whether it exists or not", () => {
  expect(temporaryPlaceOf("/tmp/a")).toBe("/tmp");
  expect(temporaryPlaceOf("/tmp")).toBe("/tmp");
  expect(temporaryPlaceOf("/var/tmp/none/at/all")).toBe("/var/tmp");
  expect(temporaryPlaceOf("/dev/shm/a")).toBe("/dev/shm");
  expect(temporaryPlaceOf("/srv/x/.npm/_npx/1a2b/node_modules/holdfast")).toBe("/srv/x/.npm/_npx");
  expect(temporaryPlaceOf("/tmpfiles/a")).toBeUndefined();
  expect(temporaryPlaceOf("/srv/tmp/a")).toBeUndefined();
});

test("a link does not hide it", () => {
  const directory = mkdtempSync(join(process.env["HOME"] ?? "", "links-"));
  const [emptied, link] = [join(directory, "emptied"), join(directory, "link")];
  mkdirSync(emptied);
  symlinkSync(emptied, link);
  expect(temporaryPlaceOf(join(link, "home"), [emptied])).toBe(emptied);
  expect(temporaryPlaceOf(join(directory, "home"), [emptied])).toBeUndefined();
});
