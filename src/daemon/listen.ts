// Opens the API where the home allows it.
import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { startApi, type Api, type ApiOptions } from "../api/index.ts";
import { homeSocket, socketOutsideHome } from "../client/node/daemon-socket.ts";
import type { StatusFile } from "../home/index.ts";
import { HoldfastError } from "../protocol/errors.ts";

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}

function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "EROFS";
}

/** In a place that others can write, a directory is ours only if nobody else made it or may enter it. */
async function makeOwnDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw new HoldfastError("INTERNAL", `${path} is not a directory of ours alone.`, {
    hint: "Remove it, or set XDG_RUNTIME_DIR.",
  });
}

/** Tells in the status file where it listens, or why not. */
export async function listen(
  home: string,
  status: StatusFile,
  options: Omit<ApiOptions, "socketPath">,
): Promise<Api> {
  try {
    return await listenAt(homeSocket(home), status, options);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    const socketPath = socketOutsideHome(home);
    await makeOwnDirectory(dirname(socketPath));
    return await listenAt(socketPath, status, options);
  }
}

async function listenAt(
  socketPath: string,
  status: StatusFile,
  options: Omit<ApiOptions, "socketPath">,
): Promise<Api> {
  const listener = { name: "socket", address: socketPath, errorCode: null, message: null };
  try {
    const api = await startApi({ ...options, socketPath });
    status.setListener({ ...listener, state: "listening" });
    const close = async (): Promise<void> => {
      status.setListener({ ...listener, state: "closed" });
      await api.close();
    };
    return { ...api, close };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    status.setListener({ ...listener, state: "failed", errorCode: codeOf(error), message });
    throw error;
  }
}
