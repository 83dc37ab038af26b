// For whom a caller of the API acts: the process it names, or the one at the other end of its connection.
import { Socket } from "node:net";
import { readPeer } from "../keeper/index.ts";
import { namedOwner, ownerFrom, ownerRefused } from "../locks/index.ts";
import type { LockOwner } from "../protocol/locks.ts";
import type { Caller } from "../protocol/operations.ts";
import type { OperationContext } from "./context.ts";

/** @throws HoldfastError LOCK_OWNER_REFUSED */
export async function lockOwner(
  { processes }: OperationContext,
  caller: Caller,
  pid: number | undefined,
): Promise<LockOwner> {
  if (pid !== undefined) return namedOwner(pid);
  const connection = caller.connection?.();
  if (!(connection instanceof Socket)) throw ownerRefused("unknown");
  const peer = await readPeer(processes.binary, connection);
  if (peer === undefined) throw ownerRefused("gone");
  if (peer.pid === 0) throw ownerRefused("foreign");
  return ownerFrom(peer);
}
