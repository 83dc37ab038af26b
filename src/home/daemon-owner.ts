// Who would have to go for another to have the home.
import { setTimeout as delay } from "node:timers/promises";
import { HoldfastError } from "../protocol/errors.ts";
import { identityOf, type Liveness, type SharedIdentity } from "../util/process-identity.ts";
import { readPresence, type Presence } from "./presence.ts";

export interface DaemonOwner {
  readonly identity: SharedIdentity;
  readonly liveness: Liveness;
  /** False: a program with a daemon inside, or one that has not told what it is. It may only be asked. */
  readonly maySignal: boolean;
  /** It has told that it is such a program. */
  readonly isEmbedded: boolean;
}

// Whoever has the lock writes its record within moments; where the home cannot be written, it never comes.
const tellDeadlineMs = 1_000;
const lookAgainMs = 10;

/** Undefined when nobody has the home. @throws HoldfastError DAEMON_FOREIGN */
export async function findOwner(home: string): Promise<DaemonOwner | undefined> {
  const deadlineMs = performance.now() + tellDeadlineMs;
  for (;;) {
    const presence = readPresence(home);
    const { owner, record } = presence;
    if (owner === null || owner.pid === record?.pid || performance.now() > deadlineMs)
      return ownerOf(presence);
    await delay(lookAgainMs);
  }
}

function ownerOf(presence: Presence): DaemonOwner | undefined {
  const { state, owner, record, reason, advice } = presence;
  if (state === "foreign") throw new HoldfastError("DAEMON_FOREIGN", reason, { hint: advice });
  if (owner === null) return undefined;
  const isTold = record !== null && record.pid === owner.pid;
  const identity = isTold ? record : identityOf(owner.pid);
  if (identity === undefined) return undefined; // it went while we looked
  const isProven = owner.liveness === "running" || owner.liveness === "stopped";
  const isEmbedded = isTold && record.isEmbedded;
  return { identity, liveness: owner.liveness, maySignal: isTold && isProven && !isEmbedded, isEmbedded };
}
