// The client of a program on the daemon's machine: finds the home's socket and, where that is wanted, starts a daemon.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isHoldfastError } from "../protocol/errors.ts";
import { Client, type ClientOptions } from "./client.ts";
import { Outage } from "./outage.ts";
import { UnixTransport } from "./node/unix-transport.ts";

export interface ConnectOptions extends Omit<ClientOptions, "transport"> {
  /** Default: HOLDFAST_HOME, else ~/.holdfast. */
  readonly home?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const socketName = "daemon.sock";
// A daemon that was just started may have thousands of processes to take over before it answers.
const startTimeoutMs = 30_000;

/** @throws HoldfastError DAEMON_UNREACHABLE when no daemon answers and none was to be started */
export async function connect({ home, signal, ...options }: ConnectOptions = {}): Promise<Client> {
  const transport = new UnixTransport(join(resolve(home ?? defaultHome()), socketName));
  const outage = new Outage({ reconnectMs: startTimeoutMs, startDaemon: options.startDaemon });
  for (;;) {
    try {
      await transport.reach(signal);
      return new Client({ ...options, transport });
    } catch (error) {
      const canWait = options.startDaemon !== undefined && isHoldfastError(error, "DAEMON_UNREACHABLE");
      if (!canWait) throw error;
      await outage.afterFailure(error, true, signal);
    }
  }
}

function defaultHome(): string {
  return process.env["HOLDFAST_HOME"] || join(process.env["HOME"] || homedir(), ".holdfast");
}
