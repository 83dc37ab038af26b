// Connections to the daemon, one for each session, made when one is needed and made again when it is lost.
import type { Client } from "../client/index.ts";
import { connect } from "../client/node.ts";
import type { Operations } from "../protocol/operations.ts";
import { startDaemon } from "./start-daemon.ts";

export interface HomeOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

export class SessionClients {
  readonly #options: HomeOptions;
  readonly #clients = new Map<string | undefined, Promise<Client>>();

  constructor(options: HomeOptions) {
    this.#options = options;
  }

  /** Of a session, or of nobody. Starts a daemon when none runs. */
  operations(session: string | undefined): Operations {
    return {
      call: async (name, input, options) => await (await this.#of(session)).call(name, input, options),
    };
  }

  /** For streams: they wait for a daemon and start none. */
  async withoutStart(session: string, signal: AbortSignal): Promise<Client> {
    return await connect({ home: this.#options.home, session, reconnectMs: 0, signal });
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#clients.values());
    for (const client of opened) if (client.status === "fulfilled") client.value.close();
  }

  /** @throws HoldfastError DAEMON_UNREACHABLE, CONFIG_INVALID */
  #of(session: string | undefined): Promise<Client> {
    const { home, environment } = this.#options;
    const found = this.#clients.get(session);
    if (found !== undefined) return found;
    const made = connect({ home, session, startDaemon: () => startDaemon(home, environment) });
    this.#clients.set(session, made);
    // The next call tries again.
    made.catch(() => this.#clients.delete(session));
    return made;
  }
}
