// The API on the Unix socket of a home. Whoever may open the file is the owner: there is no gate.
import { createServer } from "node:http";
import { createApp, type RouteOptions } from "./create-app.ts";
import { listenOnUnixSocket } from "./http/unix-listener.ts";

export interface ApiOptions extends RouteOptions {
  /** Of any length. The caller holds the home's lock: a socket file found there is replaced. */
  readonly socketPath: string;
}

export interface Api {
  /** Ends waits and streams at once, lets changes finish for a while, and removes the socket file. */
  close(): Promise<void>;
}

// Clients close idle connections after 30 s. Longer here, so that no request meets a connection being closed.
const keepAliveTimeoutMs = 75_000;

export async function startApi({ socketPath, ...options }: ApiOptions): Promise<Api> {
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs });
  const app = await createApp({ ...options, server });
  const release = await listenOnUnixSocket(server, socketPath);
  return {
    close: async () => {
      await app.close();
      await release();
    },
  };
}
