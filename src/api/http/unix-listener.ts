// Listens on a Unix socket of mode 0600, however long its path is.
import { unlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Server } from "node:net";
import { basename, dirname } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";

// sun_path holds 108 bytes on Linux and 104 on macOS, one of them for the terminating zero.
const mostPathBytes = process.platform === "linux" ? 107 : 103;

/**
 * The caller holds the home's lock: a socket file that is already there is a dead daemon's and is replaced.
 * Resolves with what must be called once the server is closed.
 */
export async function listenOnUnixSocket(server: Server, path: string): Promise<() => Promise<void>> {
  if (Buffer.byteLength(path) <= mostPathBytes) {
    await bind(server, path);
    return () => Promise.resolve();
  }
  if (process.platform !== "linux") {
    throw new HoldfastError("INVALID_ARGUMENT", `the path ${path} is too long for a socket of this system`, {
      hint: `Choose a home whose path is at most ${mostPathBytes - basename(path).length - 1} bytes long.`,
    });
  }
  // The descriptor stands for the directory. Closing the server removes the file by this path, so it stays open.
  const directory = await open(dirname(path));
  try {
    await bind(server, `/proc/self/fd/${directory.fd}/${basename(path)}`);
  } catch (error) {
    await directory.close();
    throw error;
  }
  return () => directory.close();
}

async function bind(server: Server, path: string): Promise<void> {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // of node:fs, so it has a code
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  // The file is made inside listen(): with this mask it has its mode from its first moment on.
  const mask = process.umask(0o177);
  try {
    server.listen({ path }, resolve);
  } finally {
    process.umask(mask);
  }
  try {
    await promise;
  } finally {
    server.off("error", reject);
  }
}
