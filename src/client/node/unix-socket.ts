// Connects to a Unix socket, however long its path is.
import { close, constants, open } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";

// sun_path holds 108 bytes on Linux and 104 on macOS, one of them for the terminating zero.
const mostPathBytes = process.platform === "linux" ? 107 : 103;
// Linux: O_PATH, which Node does not name. Enough to stand in a path, and needs no permission to read.
const openPathOnly = 0o10000000;

/** @throws HoldfastError DAEMON_UNREACHABLE, or the signal's reason */
export async function openUnixSocket(path: string, signal?: AbortSignal): Promise<Socket> {
  try {
    if (Buffer.byteLength(path) <= mostPathBytes) return await connected(path, signal);
    // The descriptor stands for the directory, so the path is short; it is only looked at during the call.
    const directory = await openDirectory(dirname(path));
    try {
      return await connected(`/proc/self/fd/${directory}/${basename(path)}`, signal);
    } finally {
      close(directory);
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException; // of node:net or node:fs
    throw new HoldfastError("DAEMON_UNREACHABLE", `no daemon answers at ${path}: ${code ?? message}`, {
      details: { path, ...(code === undefined ? {} : { errno: code }) },
      cause: error,
    });
  }
}

// Not node:fs/promises: importing it costs a command line milliseconds, and long paths are rare.
function openDirectory(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, constants.O_DIRECTORY | openPathOnly, (error, descriptor) => {
      if (error === null) resolve(descriptor);
      else reject(error);
    });
  });
}

function connected(path: string, signal: AbortSignal | undefined): Promise<Socket> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ path });
  const abort = (): void => {
    socket.destroy();
    reject(signal?.reason);
  };
  const connectedNow = (): void => resolve(socket);
  socket.once("connect", connectedNow);
  socket.once("error", reject);
  signal?.addEventListener("abort", abort, { once: true });
  return promise.finally(() => {
    signal?.removeEventListener("abort", abort);
    socket.off("connect", connectedNow);
    socket.off("error", reject);
  });
}
