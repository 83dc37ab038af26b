// Taking the home from the daemon that has it. By then this one is loaded and checked (preflight.ts), so that the time between the
// two is short, and nobody is sent away for one that cannot take over.
import { connect } from "../client/node.ts";
import { endDaemon, findOwner } from "../home/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import { Ownership, type OwnershipOptions } from "./ownership.ts";

export interface ReplaceOptions {
  /** How long the other lets open waits finish; default 0: they go on here. */
  readonly drainMs: number | undefined;
}

const askTimeoutMs = 2_000;

/**
 * Of two that replace at once, one gets the home and the other is told so.
 * @throws HoldfastError DAEMON_RUNNING, DAEMON_FOREIGN, DAEMON_DENIED, DAEMON_UNPROVEN, DAEMON_STUCK
 */
export async function takeOver(
  options: OwnershipOptions,
  { drainMs = 0 }: ReplaceOptions,
): Promise<Ownership> {
  const { home } = options;
  try {
    return await Ownership.take(options);
  } catch (error) {
    if (!isHoldfastError(error, "DAEMON_RUNNING")) throw error;
  }
  const owner = await findOwner(home);
  if (owner !== undefined) {
    const ask = (): Promise<void> => askToStop(home, drainMs);
    await endDaemon({ home, owner, kind: "takeover", until: "released", drainMs, ask });
  }
  return await Ownership.take(options);
}

async function askToStop(home: string, drainMs: number): Promise<void> {
  const signal = AbortSignal.timeout(askTimeoutMs);
  await using client = await connect({ home, signal });
  await client.daemon.stop({ drainMs }, { signal });
}
