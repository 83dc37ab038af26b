// Connects to a Unix socket in a directory, however long the directory's path is.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DirectSocket } from "./direct-socket.ts";

// sun_path holds 108 bytes on Linux and 104 on macOS, one of them for the terminating zero.
const mostPathBytes = process.platform === "linux" ? 107 : 103;
// Linux: O_PATH, which Node does not name. Enough to stand in a path, and needs no permission to read.
const openPathOnly = 0o10000000;

/** @throws the error of the operating system: ENOENT, ECONNREFUSED (nobody listens), EAGAIN (too many at the door) */
export async function connectUnixSocket(
  directory: string,
  name: string,
  signal?: AbortSignal,
): Promise<DirectSocket> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= mostPathBytes) return await connected(path, signal);
  // The descriptor stands for the directory, so the path is short; it is only looked at during the call.
  await using handle = await open(directory, constants.O_DIRECTORY | openPathOnly);
  return await connected(`/proc/self/fd/${handle.fd}/${name}`, signal);
}

function connected(path: string, signal: AbortSignal | undefined): Promise<DirectSocket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error); // an AbortSignal's reason is an Error unless a caller made it otherwise
      return;
    }
    const socket = new DirectSocket().connect({ path });
    const settle = (): void => {
      signal?.removeEventListener("abort", abort);
      socket.off("connect", connectedNow);
      socket.off("error", failed);
    };
    const connectedNow = (): void => {
      settle();
      resolve(socket);
    };
    const failed = (error: Error): void => {
      settle();
      reject(error);
    };
    const abort = (): void => {
      settle();
      socket.destroy();
      reject(signal?.reason as Error); // as above
    };
    socket.once("connect", connectedNow);
    socket.once("error", failed);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
