// Ends the daemon of a home for a command: how long its waits may go on is asked of it first.
import { connect } from "../client/node.ts";
import { endDaemon, ownerOf, readPresence, type DaemonOwner, type Ending } from "../home/index.ts";

export interface StopOptions {
  /** How long open waits may go on; default: as the daemon is configured. */
  readonly drainMs?: number | undefined;
  /** Its service manager brings it back, or it starts itself anew. */
  readonly restart?: boolean;
}

export interface StoppedDaemon {
  readonly owner: DaemonOwner;
  readonly ending: Ending;
}

const askTimeoutMs = 2_000;
// Of one that does not answer: it will not let anything finish either.
const silentDrainMs = 0;

/** Undefined when none ran. @throws HoldfastError DAEMON_FOREIGN, DAEMON_DENIED, DAEMON_UNPROVEN, DAEMON_STUCK */
export async function stopDaemon(
  home: string,
  options: StopOptions = {},
): Promise<StoppedDaemon | undefined> {
  const owner = ownerOf(readPresence(home));
  if (owner === undefined) return undefined;
  const { restart = false } = options;
  const isSilent = owner.liveness === "stopped";
  const drainMs = options.drainMs ?? (isSilent ? silentDrainMs : await configuredDrainMs(home));
  const ask = async (): Promise<void> => {
    await withClient(home, (client, signal) => client.daemon.stop({ drainMs, restart }, { signal }));
  };
  // One that starts itself anew in its own place is never gone.
  const until = restart || owner.maySignal === false ? "released" : "gone";
  const ending = await endDaemon({ home, owner, kind: "plannedStop", until, drainMs, restart, ask });
  return { owner, ending };
}

async function configuredDrainMs(home: string): Promise<number> {
  try {
    const { value } = await withClient(home, (client, signal) =>
      client.config.get({ key: "daemon.drainMs" }, { signal }),
    );
    return typeof value === "number" ? value : silentDrainMs;
  } catch {
    return silentDrainMs;
  }
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function withClient<Answer>(
  home: string,
  work: (client: Connected, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(askTimeoutMs);
  await using client = await connect({ home, signal, reconnectMs: 0 });
  return await work(client, signal);
}
