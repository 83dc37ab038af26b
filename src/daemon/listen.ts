// Opens the API where the home allows it.
import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { startApi, type Api, type ApiOptions } from "../api/index.ts";
import { homeSocket, socketOutsideHome } from "../client/node/daemon-socket.ts";
import { HoldfastError } from "../protocol/errors.ts";

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EROFS";
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

export async function listen(home: string, options: Omit<ApiOptions, "socketPath">): Promise<Api> {
  try {
    return await startApi({ ...options, socketPath: homeSocket(home) });
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    const socketPath = socketOutsideHome(home);
    await makeOwnDirectory(dirname(socketPath));
    return await startApi({ ...options, socketPath });
  }
}
