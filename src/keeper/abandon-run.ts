// Gives a start up: whatever became of it is stopped, tree and all, and never listed.
import type { Socket } from "node:net";
import { Backoff } from "./backoff.ts";
import { encodeStop } from "./connection.ts";
import { readExitRecord } from "./exit-record.ts";
import { FrameChannel } from "./frame-channel.ts";
import { isDirectory, markAbandoned } from "./run-directory.ts";
import { connectUnixSocket } from "./socket.ts";
import { readSpec } from "./spec-file.ts";

// A keeper that was stopped in the middle of its start may take this long to be let go on; its socket is there from
// before the run got its name, so this is room for a machine under load.
const reachTimeoutMs = 10_000;
const lingerMs = 10_000;

export interface AbandonedStart {
  readonly directory: string;
  readonly startToken: string;
}

/**
 * Does nothing when there is no such run: past its deadline none can appear. Nor when the run is of another start that had
 * the same id. Never rejects.
 */
export async function abandonRun(
  { directory, startToken }: AbandonedStart,
  signal: AbortSignal,
): Promise<void> {
  try {
    // The spec is there before the directory has its name.
    const spec = await readSpec(directory);
    if (spec.startToken !== startToken || !(await markAbandoned(directory))) return;
    const backoff = new Backoff(reachTimeoutMs);
    while (!backoff.isOver) {
      const socket = await connectUnixSocket(directory, "sock", signal).catch(() => undefined);
      if (socket !== undefined) {
        await deliverStop(socket, signal);
        return;
      }
      if ((await readExitRecord(directory)) !== undefined || !(await isDirectory(directory))) return;
      await backoff.wait(signal);
    }
  } catch {
    // No such run; or this side is closing, or the disk fails, and the mark or the next look at the runs catches it.
  }
}

/** The frame lies in the keeper's socket even if the keeper is stopped now; staying a while lets it answer. */
async function deliverStop(socket: Socket, signal: AbortSignal): Promise<void> {
  // Nothing waits for the answer, so nothing stays alive for it.
  socket.unref();
  const channel = new FrameChannel(socket, { peer: "keeper", onPush: () => undefined });
  const stop = encodeStop({ graceMs: 0, abandoned: true, reason: "timeout", by: "start timeout" });
  try {
    await channel.request(stop, AbortSignal.any([signal, AbortSignal.timeout(lingerMs)]));
  } finally {
    channel.close();
  }
}
