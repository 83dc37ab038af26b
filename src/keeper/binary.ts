// The keeper binary: where this package has it, and the copy in the home that runs. A copy, because an update of the
// package must not change a program under the feet of running keepers.
import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { findPackageFile } from "../util/package-file.ts";
import { isMissingFile } from "./system-error.ts";

/** @throws HoldfastError UNSUPPORTED_PLATFORM where no keeper can exist */
export function binaryName(platform: string = process.platform, arch: string = process.arch): string {
  if (platform === "linux" || platform === "darwin") return `keeper-${platform}-${arch}`;
  throw new HoldfastError("UNSUPPORTED_PLATFORM", `Holdfast does not run on ${platform}.`, {
    details: { platform, arch },
  });
}

/**
 * The binary that came with this package: `keeper/build/…` in the first folder above this file that has it, which finds it
 * from src/ and from a bundle alike.
 * @throws HoldfastError UNSUPPORTED_PLATFORM
 */
export function locateBinary(from: string = import.meta.dirname): string {
  const name = binaryName();
  const path = findPackageFile(join("keeper", "build", name), from);
  if (path !== undefined) return path;
  throw new HoldfastError("UNSUPPORTED_PLATFORM", `There is no ${name} in this package.`, {
    details: { name },
  });
}

/** Puts a copy into the home and returns its path. Any number of processes may do so at once. */
export async function installBinary(home: string, source: string = locateBinary()): Promise<string> {
  const content = await readFile(source);
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const folder = join(home, "bin");
  const path = join(folder, `keeper-${hash}`);
  if ((await sizeOf(path)) === content.length) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.keeper-${hash}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(temporary, content, { mode: 0o700, flag: "wx" });
    await chmod(temporary, 0o700); // whatever the umask took away
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return path;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
