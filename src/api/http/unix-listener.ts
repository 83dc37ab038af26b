// Listens on a Unix socket of mode 0600, however long its path is.
import { linkSync, lstatSync, readdirSync, renameSync, unlinkSync, watch } from "node:fs";
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

let boundCount = 0;

/**
 * Under a name of its own, which stays: Node removes the path it has bound when the server closes, whoever's file is there by then, and
 * when somebody removes the socket file it can be had again by that name. Returns how to remove both, as long as they are ours.
 */
async function bind(server: Server, path: string): Promise<() => void> {
  const directory = dirname(path);
  removeDead(directory);
  const own = join(directory, `.s${process.pid.toString(36)}-${(++boundCount).toString(36)}`);
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
  const stopWatching = giveName(own, path);
  return () => {
    stopWatching();
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) remove(path);
    remove(own);
  };
}

/** By a rename: there is no moment without a socket file. Returns how to let it be. */
function giveName(own: string, path: string): () => void {
  const next = `${own}+`;
  remove(next);
  try {
    linkSync(own, next);
  } catch {
    renameSync(own, path); // a file system where a file has one name: then that one
    return () => undefined;
  }
  renameSync(next, path);
  return keepLinked(own, path);
}

/** Puts the file back when somebody removes it: nobody new could reach us. The kernel tells when a name of a file goes. */
function keepLinked(own: string, path: string): () => void {
  const relink = (): void => {
    try {
      linkSync(own, path);
    } catch {
      // It is there, be it a successor's; or our own name is gone as well, and there is no way back.
    }
  };
  try {
    const watcher = watch(own, relink).unref();
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined; // a machine that has no watches left
  }
}

const ownName = /^\.s([0-9a-z]+)-[0-9a-z]+\+?$/;

/** What daemons that were killed have left. */
function removeDead(directory: string): void {
  for (const name of readdirSync(directory)) {
    const [, pid] = ownName.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number.parseInt(pid, 36))) remove(join(directory, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // of node:process, so it has a code
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // of node:fs, so it has a code
  }
}
