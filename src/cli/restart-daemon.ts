// A new daemon in the place of the one that runs. One of a service manager is brought back by that; another is replaced by one of this
// release, which is ready before the old one goes.
import { readPresence, type Presence } from "../home/index.ts";
import { answerOf, answerOfAnother, askDaemon } from "./daemon-answer.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { DaemonStatus, Supervisor } from "../protocol/daemon.ts";
import { notStarted, readyTimeoutMs, startDaemon, startOnce } from "./start-daemon.ts";
import { stopDaemon } from "./stop-daemon.ts";

type Known = Pick<DaemonStatus, "pid" | "version">;

export interface Restarted {
  /** Null when none ran. */
  readonly before: Known | null;
  readonly after: Known & Pick<DaemonStatus, "running">;
  readonly how: "started" | "replaced" | "replaced by another" | "brought back" | "started anew";
  readonly supervisor: Supervisor["kind"] | null;
}

/** @throws HoldfastError DAEMON_UNREACHABLE and why it refuses to start; DAEMON_FOREIGN, DAEMON_DENIED, DAEMON_STUCK */
export async function restartDaemon(
  home: string,
  environment: NodeJS.ProcessEnv,
  drainMs: number | undefined,
): Promise<Restarted> {
  const presence = readPresence(home);
  const before = await answerOf(home);
  const known = before ?? knownFrom(presence);
  const supervisor = supervisorOf(presence);
  const told = (after: DaemonStatus, how: Restarted["how"]): Restarted => ({
    before: known === undefined ? null : { pid: known.pid, version: known.version },
    after: { pid: after.pid, version: after.version, running: after.running },
    how,
    supervisor,
  });
  if (presence.state === "stopped" || presence.state === "stale") {
    await startDaemon(home, environment);
    return told(await otherThan(home, undefined, readyTimeoutMs), "started");
  }
  if (supervisor === "systemd" || supervisor === "launchd" || supervisor === "container") {
    await refuseBadConfiguration(home);
    await stopDaemon(home, { drainMs, restart: true });
    const after = await otherThan(home, before, readyTimeoutMs);
    return told(after, supervisor === "container" ? "started anew" : "brought back");
  }
  const timeoutMs = readyTimeoutMs + (drainMs ?? 0);
  const args = ["--replace", ...(drainMs === undefined ? [] : ["--drain-ms", String(drainMs)])];
  const outcome = await startOnce(home, environment, { args, timeoutMs });
  const after = await otherThan(home, before, timeoutMs);
  return told(after, outcome === "another" ? "replaced by another" : "replaced");
}

/** It goes on with the configuration it has; what comes back would end at once. @throws HoldfastError CONFIG_INVALID */
async function refuseBadConfiguration(home: string): Promise<void> {
  const check = await askDaemon(home, (client, call) => client.config.check({}, call)).catch(() => undefined);
  if (check === undefined || check.valid) return;
  const texts = check.problems.map(
    ({ file, line, key, message }) => `${file}${line === null ? "" : `:${line}`}: ${key}: ${message}`,
  );
  throw new HoldfastError("CONFIG_INVALID", texts.join("; "), { details: { problems: check.problems } });
}

/** Who brings it back; of a program with a daemon inside nobody brings back the daemon. */
function supervisorOf({ state, record, status }: Presence): Supervisor["kind"] | null {
  return state === "running" && record?.isEmbedded === false ? (status?.supervisor.kind ?? null) : null;
}

function knownFrom({ owner, record }: Presence): Known | undefined {
  if (owner === null) return undefined;
  return { pid: owner.pid, version: record?.pid === owner.pid ? record.version : "of unknown version" };
}

async function otherThan(
  home: string,
  before: DaemonStatus | undefined,
  timeoutMs: number,
): Promise<DaemonStatus> {
  const answer = await answerOfAnother(home, before, timeoutMs);
  if (answer === undefined) throw notStarted(home, "it does not answer");
  return answer;
}
