// Ends the daemon of a home for a command: how long its waits may go on is asked of it first.
import { endDaemon, findOwner, type Ending } from "../home/index.ts";
import { askDaemon } from "./daemon-answer.ts";
import { waitUntilGone } from "./process-gone.ts";

export interface StopOptions {
  /** How long open waits may go on; default: as the daemon is configured. */
  readonly drainMs?: number | undefined;
  /** Its service manager brings it back, or it starts itself anew. */
  readonly restart?: boolean;
}

export interface StoppedDaemon {
  readonly pid: number;
  readonly ending: Ending;
  /** False: a program that had a daemon inside goes on without it. */
  readonly hasEnded: boolean;
}

// Of one that has let go of the home.
const goneTimeoutMs = 2_000;
// Of one that does not answer: it will not let anything finish either.
const silentDrainMs = 0;

/** Undefined when none ran. @throws HoldfastError DAEMON_FOREIGN, DAEMON_DENIED, DAEMON_UNPROVEN, DAEMON_STUCK */
export async function stopDaemon(
  home: string,
  options: StopOptions = {},
): Promise<StoppedDaemon | undefined> {
  const owner = await findOwner(home);
  if (owner === undefined) return undefined;
  const { restart = false } = options;
  const isSilent = owner.liveness === "stopped";
  const drainMs = options.drainMs ?? (isSilent ? silentDrainMs : await configuredDrainMs(home));
  const ask = async (): Promise<void> => {
    await askDaemon(home, (client, call) => client.daemon.stop({ drainMs, restart }, call));
  };
  // One that starts itself anew in its own place is never gone, and neither is a program that had a daemon inside.
  const until = restart || !owner.maySignal ? "released" : "gone";
  const ending = await endDaemon({ home, owner, kind: "plannedStop", until, drainMs, restart, ask });
  const { pid } = owner.identity;
  const goesOn = restart || owner.isEmbedded;
  return { pid, ending, hasEnded: !goesOn && (await waitUntilGone(pid, goneTimeoutMs)) };
}

async function configuredDrainMs(home: string): Promise<number> {
  try {
    const key = "daemon.drainMs";
    const { value } = await askDaemon(home, (client, call) => client.config.get({ key }, call));
    return typeof value === "number" ? value : silentDrainMs;
  } catch {
    return silentDrainMs;
  }
}
