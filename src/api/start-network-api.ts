// The same API by the network, behind the gate, with the dashboard's pages.
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Access, BindAddress } from "../access/index.ts";
import { forKnownCallers } from "../operations/authorise.ts";
import { addAuthRoutes } from "./auth/auth-routes.ts";
import { addGate } from "./auth/gate.ts";
import { addWebFiles, answerPages } from "./auth/web-files.ts";
import { createApp, type RouteOptions } from "./create-app.ts";

/** PEM texts. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface NetworkApiOptions extends RouteOptions {
  readonly access: Access;
  readonly bind: BindAddress;
  /** 0: any free one. */
  readonly port: number;
  /** With it HTTPS is spoken, without it HTTP. */
  readonly certificate: Certificate | undefined;
  /** The built dashboard; it need not be there. */
  readonly webDirectory: string;
}

export interface NetworkApi {
  readonly port: number;
  /** For connections from now on. @throws Error when it cannot be used; then the old one stays */
  setCertificate(certificate: Certificate): void;
  /** Ends waits and streams at once, and lets changes finish for a while. */
  close(): Promise<void>;
}

const keepAliveTimeoutMs = 75_000;
// Far beyond what people open, far below what the process may: strangers can open connections before they prove anything.
const mostConnections = 2_000;

/** @throws Error of the system when the address cannot be had, or of the certificate */
export async function startNetworkApi(options: NetworkApiOptions): Promise<NetworkApi> {
  const { access, bind, port, certificate, webDirectory, runtime, ...routes } = options;
  const limits = { keepAliveTimeout: keepAliveTimeoutMs };
  const https = certificate === undefined ? undefined : createHttpsServer({ ...limits, ...certificate });
  // The two differ in how bytes come in; nobody here looks at that.
  const server = (https ?? createHttpServer(limits)) as Server;
  server.maxConnections = mostConnections;
  const app = await createApp({
    ...routes,
    runtime: forKnownCallers(runtime),
    server,
    prepare: async (prepared) => {
      const streams = addGate(prepared, { access, bind });
      await addAuthRoutes(prepared, { access, streams });
      await addWebFiles(prepared, webDirectory);
    },
    otherwise: (prepared) => answerPages(prepared, webDirectory),
  });
  try {
    await listen(server, bind.address, port);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    setCertificate: (next) => https?.setSecureContext({ ...next }),
    close: () => app.close(),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port, ipv6Only: false }, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}
