// Who is at the other end of a Unix socket. Node cannot ask the kernel for that; the keeper binary does, on the descriptor it
// inherits (CONTRACT.md §8).
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { HoldfastError } from "../protocol/errors.ts";

export interface Peer {
  /** As this process sees it; 0: it is in a PID namespace that cannot be seen from here. */
  readonly pid: number;
  readonly uid: number;
  readonly gid: number;
  /** Kernel start time; 0 where the kernel does not tell. */
  readonly startTime: number;
}

const endedExitCode = 1;

/**
 * Undefined when that process has ended, or the connection is closed.
 * @throws HoldfastError SYSTEM_ERROR when it is no Unix socket, CONTRACT_MISMATCH for an answer that cannot be
 */
export async function readPeer(binary: string, socket: Socket): Promise<Peer | undefined> {
  const descriptor = descriptorOf(socket);
  if (descriptor === undefined) return undefined;
  // By its number: a socket handed over as a stream would be paused here for good.
  const child = spawn(binary, ["peer", "3"], { stdio: ["ignore", "pipe", "ignore", descriptor], env: {} });
  const [answer, [code]] = await Promise.all([
    text(child.stdout as Readable),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  if (code === endedExitCode) return undefined;
  if (code !== 0) {
    throw new HoldfastError(
      "SYSTEM_ERROR",
      `The other end of the connection cannot be told: keeper peer ended with ${code}.`,
    );
  }
  return parsePeer(answer);
}

/** @throws HoldfastError CONTRACT_MISMATCH */
export function parsePeer(answer: string): Peer {
  const numbers = /^(\d+) (\d+) (\d+) (\d+)\n$/.exec(answer)?.slice(1).map(Number) ?? [];
  const [pid, uid, gid, startTime] = numbers;
  if (pid === undefined || uid === undefined || gid === undefined || startTime === undefined) {
    throw new HoldfastError("CONTRACT_MISMATCH", `keeper peer says ${JSON.stringify(answer)}.`);
  }
  return { pid, uid, gid, startTime };
}

/** Not documented, and there since Node has handles; undefined for a closed one. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined;
}
