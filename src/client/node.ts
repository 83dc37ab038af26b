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
  const directory = resolve(home ?? defaultHome());
  const outage = new Outage({ reconnectMs: startTimeoutMs, startDaemon: options.startDaemon });
  for (;;) {
    try {
      return new Client({ ...options, transport: await reach(directory, signal) });
    } catch (error) {
      const canWait = options.startDaemon !== undefined && isHoldfastError(error, "DAEMON_UNREACHABLE");
      if (!canWait) throw error;
      await outage.afterFailure(error, true, signal);
    }
  }
}

async function reach(home: string, signal: AbortSignal | undefined): Promise<UnixTransport> {
  const transport = new UnixTransport(join(home, socketName));
  try {
    await transport.reach(signal);
    return transport;
  } catch (error) {
    if (!isHoldfastError(error, "DAEMON_UNREACHABLE")) throw error;
    // Loaded only here: hashing costs a command line that finds its daemon nothing.
    const { socketOutsideHome } = await import("./node/daemon-socket.ts");
    const outside = new UnixTransport(socketOutsideHome(home));
    try {
      await outside.reach(signal);
    } catch {
      throw error; // the home is where it should be
    }
    return outside;
  }
}

function defaultHome(): string {
  return process.env["HOLDFAST_HOME"] || join(process.env["HOME"] || homedir(), ".holdfast");
}
