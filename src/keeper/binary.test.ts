import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binaryName, installBinary, locateBinary } from "./binary.ts";

const unsupported = expect.objectContaining({ code: "UNSUPPORTED_PLATFORM" }) as Error;

test("there is one binary per system and processor, and none for Windows", () => {
  expect(binaryName("linux", "x64")).toBe("keeper-linux-x64");
  expect(binaryName("darwin", "arm64")).toBe("keeper-darwin-arm64");
  expect(() => binaryName("win32", "x64")).toThrow(unsupported);
});

test("the binary is found in any folder above, or its absence is told", () => {
  const root = mkdtempSync(join(homedir(), "package-"));
  const deep = join(root, "dist", "a", "b");
  mkdirSync(deep, { recursive: true });
  expect(() => locateBinary(deep)).toThrow(unsupported);
  mkdirSync(join(root, "keeper", "build"), { recursive: true });
  const binary = join(root, "keeper", "build", binaryName());
  writeFileSync(binary, "x");
  expect(locateBinary(deep)).toBe(binary);
});

test("many at once install one copy, named by its content", async () => {
  const home = mkdtempSync(join(homedir(), "home-"));
  const source = join(home, "source");
  writeFileSync(source, "#!/bin/sh\n", { mode: 0o600 });
  const paths = await Promise.all(Array.from({ length: 8 }, () => installBinary(home, source)));
  // sha256 of the ten bytes above.
  expect(new Set(paths)).toEqual(new Set([join(home, "bin", "keeper-a8076d3d28d21e02")]));
  expect(readdirSync(join(home, "bin"))).toHaveLength(1);
  expect(readFileSync(paths[0] ?? "", "utf8")).toBe("#!/bin/sh\n");
  expect(statSync(paths[0] ?? "").mode & 0o777).toBe(0o700);
  writeFileSync(source, "#!/bin/sh\nexit\n");
  expect(await installBinary(home, source)).not.toBe(paths[0]);
});
