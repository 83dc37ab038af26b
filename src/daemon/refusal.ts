// What a daemon that is not wanted says before it goes: who has the home, and what to do.
import type { Presence } from "../home/index.ts";
import { HoldfastError } from "../protocol/errors.ts";

/** Of a lock that could not be taken: however little was seen, somebody has it. */
export function refusalOf(presence: Presence): HoldfastError {
  return presence.state === "running" ? running(presence) : foreign(presence);
}

function running(presence: Presence): HoldfastError {
  const { home, owner, record, since, detail, reason, advice } = presence;
  const version = owner !== null && owner.pid === record?.pid ? record.version : null;
  const about = [
    `process ${owner?.pid ?? "unknown"}`,
    ...(version === null ? [] : [`version ${version}`]),
    since === null ? detail : `${detail} since ${since}`,
  ].join(", ");
  const isStopped = owner?.liveness === "stopped";
  return new HoldfastError(
    "DAEMON_RUNNING",
    `Another daemon has ${home}: ${about}.${isStopped ? ` ${reason}` : ""}`,
    {
      details: {
        home,
        pid: owner?.pid ?? null,
        liveness: owner?.liveness ?? null,
        version,
        since,
        state: detail,
      },
      hint: isStopped
        ? advice
        : "Use that one (holdfast daemon status), or take its place: holdfast daemon run --replace",
    },
  );
}

/** Refused, never taken for stale: the lock is held, and by nobody that can be seen from here. */
function foreign({ home, state, record, reason, advice }: Presence): HoldfastError {
  const why =
    state === "foreign"
      ? reason
      : "Its lock is held by a process of another container or machine, which cannot be seen from here.";
  return new HoldfastError("DAEMON_FOREIGN", `The daemon of ${home} is elsewhere. ${why}`, {
    details: {
      home,
      pid: record?.pid ?? null,
      pidNamespace: record?.pidNamespace ?? null,
      bootId: record?.bootId ?? null,
      version: record?.version ?? null,
    },
    ...(state === "foreign" ? { hint: advice } : {}),
  });
}
