// Listens on a Unix socket of mode 0600, however long its path is.
import { lstatSync, renameSync, unlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Server } from "node:net";
import { basename, dirname, join } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";

// sun_path holds 108 bytes on Linux and 104 on macOS, one of them for the terminating zero.
const mostPathBytes = process.platform === "linux" ? 107 : 103;

/**
 * The caller holds the home's lock: a socket file that is already there is a dead daemon's and is replaced.
 * Resolves with what must be called once the server is closed.
 */
export async function listenOnUnixSocket(server: Server, path: string): Promise<() => Promise<void>> {
  if (Buffer.byteLength(path) <= mostPathBytes) {
    const letGo = await bind(server, path);
    return () => Promise.resolve(letGo());
  }
  if (process.platform !== "linux") {
    throw new HoldfastError("INVALID_ARGUMENT", `the path ${path} is too long for a socket of this system`, {
      hint: `Choose a home whose path is at most ${mostPathBytes - basename(path).length - 1} bytes long.`,
    });
  }
  // The descriptor stands for the directory, also when the file is removed in the end.
  const directory = await open(dirname(path));
  try {
    const letGo = await bind(server, `/proc/self/fd/${directory.fd}/${basename(path)}`);
    return async () => {
      letGo();
      await directory.close();
    };
  } catch (error) {
    await directory.close();
    throw error;
  }
}

/**
 * Under a name of its own first: Node removes the path it has bound when the server closes, whoever's file is there by then. The
 * rename also leaves no moment without a socket file. Returns how to remove the file, as long as it is ours.
 */
async function bind(server: Server, path: string): Promise<() => void> {
  const own = join(dirname(path), `.s${process.pid.toString(36)}`);
  remove(own);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  // The file is made inside listen(): with this mask it has its mode from its first moment on.
  const mask = process.umask(0o177);
  try {
    server.listen({ path: own }, resolve);
  } finally {
    process.umask(mask);
  }
  try {
    await promise;
  } finally {
    server.off("error", reject);
  }
  const { dev, ino } = lstatSync(own);
  renameSync(own, path);
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) remove(path);
  };
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // of node:fs, so it has a code
  }
}
