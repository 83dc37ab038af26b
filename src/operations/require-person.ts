// Who may lift what a policy asks: a person. What can be known of a caller: whether it speaks for a session, and whether it runs
// inside a kept process. Every other program of this user is trusted, as everywhere in Holdfast.
import { readFileSync, readlinkSync } from "node:fs";
import { Socket } from "node:net";
import { userInfo } from "node:os";
import { basename } from "node:path";
import { describeWho } from "../access/index.ts";
import { readPeer } from "../keeper/index.ts";
import type { Who } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Caller } from "../protocol/operations.ts";
import type { OperationContext } from "./context.ts";

/** Whom the record names. @throws HoldfastError PERSON_REQUIRED */
export async function requirePerson(context: OperationContext, caller: Caller): Promise<string> {
  if (caller.session !== undefined)
    throw refused(`it was asked for by session ${caller.session}`, { session: caller.session });
  if (caller.who !== undefined) return personOf(caller.who);
  const connection = caller.connection?.();
  // Without one the caller is the program that this daemon runs in.
  if (!(connection instanceof Socket)) return `${userInfo().username} (the program the daemon runs in)`;
  const peer = await readPeer(context.processes.binary, connection);
  if (peer === undefined) throw refused("whoever asked has gone", {});
  if (peer.pid === 0) throw refused("whoever asked is in another PID namespace", {});
  const kept = keptAbove(context, peer.pid);
  if (kept !== undefined) throw refused(`process ${peer.pid}, which asked, runs inside ${kept}`, { kept });
  return `${userInfo().username} (pid ${peer.pid})`;
}

/** By the network: whoever signed in, but no program with a token, and nobody where nobody is asked. */
function personOf(who: Who): string {
  if (who.via === "token") throw refused(`the token ${who.name} is a program's`, { via: who.via });
  if (who.via === "insecure") throw refused("nobody here is asked who they are", { via: who.via });
  return describeWho(who);
}

function refused(why: string, details: Readonly<Record<string, unknown>>): HoldfastError {
  return new HoldfastError("PERSON_REQUIRED", `Only a person may do this, and ${why}. Nothing was changed.`, {
    details,
  });
}

/** Deeper than any tree of processes. */
const mostAncestors = 1_000;

/** The kept process it descends from. Also when what was between has ended: then its keeper is its parent. */
function keptAbove({ processes }: OperationContext, pid: number): string | undefined {
  const keptPids = new Map<number, string>();
  for (const { id, pid: keptPid } of processes.registry.live())
    if (keptPid !== null) keptPids.set(keptPid, id);
  let current = pid;
  for (let step = 0; step < mostAncestors && current > 1; step += 1) {
    const kept = keptPids.get(current);
    if (kept !== undefined) return kept;
    if (isKeeper(current)) return "a kept process";
    current = parentOf(current) ?? 0;
  }
  return undefined;
}

/** Undefined where the system does not tell, or it has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(text.slice(text.lastIndexOf(")") + 1).split(" ")[2]);
  } catch {
    return undefined;
  }
}

function isKeeper(pid: number): boolean {
  try {
    return /^keeper-[0-9a-f]+/.test(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch {
    return false; // gone, or another user's
  }
}
