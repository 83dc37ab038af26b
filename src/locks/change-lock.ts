// The only steps that change a lock. Each is one call of the kernel, and each is bound to what it is meant for, so that any number of
// processes may take them at any moment, and be killed between any two:
//
// - A claim is put by renaming a directory with the complete claim in it over the lock's. The kernel does that only if the lock's
//   directory is missing or empty: of all who try, one succeeds, and only while nobody has the lock.
// - A claim is removed by its name, which is never used again: whoever proved that an owner is gone cannot hit its successor's claim.
import { mkdir, readdir, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderClaim, renderUpdate, type Claim, type ClaimUpdate } from "./claim.ts";
import { claimName, newNonce, pendingFolder, updateName } from "./file-names.ts";
import { isErrno } from "./system-error.ts";

// A claim is pending for a few system calls. One that is swept too early (a clock that jumped) is written again.
const pendingLifeMs = 60_000;

/** The claim's nonce: the lock is ours. Undefined: somebody else has it, or something stands in the way. */
export async function putClaim(directory: string, path: string, claim: Claim): Promise<string | undefined> {
  const nonce = newNonce();
  const pending = join(directory, pendingFolder, nonce);
  try {
    await mkdir(pending, { mode: 0o700 });
    await writeFile(join(pending, claimName(nonce)), renderClaim(claim), { mode: 0o600, flag: "wx" });
    await rename(pending, path);
    return nonce;
  } catch (error) {
    await rm(pending, { recursive: true, force: true });
    // ENOENT: ours was swept. ENOTDIR: no directory is there.
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT")) return undefined;
    throw error;
  }
}

/** False: it was not there any more. */
export async function removeClaim(path: string, nonce: string): Promise<boolean> {
  try {
    await unlink(join(path, claimName(nonce)));
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return false;
    if (!isErrno(error, "EISDIR", "EPERM")) throw error;
    await removeLitter(path, [claimName(nonce)]); // a directory, which no claim of ours is
  }
  await removeLitter(path, [updateName(nonce)]);
  return true;
}

export async function removeLitter(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(path, name), { recursive: true, force: true });
}

/** What stands in the place of the directory. Cannot hit a directory, so it cannot hit a lock. */
export async function removeObstruction(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EISDIR", "EPERM")) throw error;
  }
}

/** An empty directory means the same as none: this is for those who look, and tells those who wait. */
export async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST")) throw error;
  }
}

/** False: the claim is gone, and so nothing was said. */
export async function updateClaim(
  directory: string,
  path: string,
  { nonce, update }: { readonly nonce: string; readonly update: ClaimUpdate },
): Promise<boolean> {
  const pending = join(directory, pendingFolder, newNonce());
  try {
    await writeFile(pending, renderUpdate(update), { mode: 0o600, flag: "wx" });
    // In the directory of another claim it would be litter, which whoever finds no owner removes.
    await rename(pending, join(path, updateName(nonce)));
    await stat(join(path, claimName(nonce)));
    return true;
  } catch (error) {
    await rm(pending, { force: true });
    if (isErrno(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

/** What those left behind who were killed while a claim was pending. */
export async function sweepPending(directory: string): Promise<void> {
  const folder = join(directory, pendingFolder);
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > pendingLifeMs) await rm(path, { recursive: true, force: true });
    }
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTEMPTY")) throw error; // none yet, or somebody was faster
  }
}
