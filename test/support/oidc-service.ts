// A real OpenID Connect service on loopback, and a person with a browser who signs in there.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type Configuration } from "oidc-provider";
import { onTestFinished } from "vitest";

export interface OidcService {
  readonly issuer: string;
  /** Groups of whoever signs in, by name. */
  readonly groups: Map<string, readonly string[]>;
  /** Nobody answers any more. */
  close(): Promise<void>;
  /** On the same port again. */
  open(): Promise<void>;
}

export const clientId = "holdfast";
export const clientSecret = "a-secret-of-the-service";

export async function openOidcService(redirectUri: string): Promise<OidcService> {
  const groups = new Map<string, readonly string[]>();
  const first = createServer().listen(0, "127.0.0.1");
  await once(first, "listening");
  const { port } = first.address() as AddressInfo; // it listens on TCP
  await closed(first);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, configurationOf(redirectUri, groups));
  let server: Server | undefined;
  const service: OidcService = {
    issuer,
    groups,
    open: async () => {
      const answer = provider.callback();
      server = createServer((request, response) => void answer(request, response)).listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close: async () => {
      server?.closeAllConnections();
      if (server?.listening === true) await closed(server);
    },
  };
  onTestFinished(() => service.close());
  await service.open();
  return service;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function configurationOf(redirectUri: string, groups: Map<string, readonly string[]>): Configuration {
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, groups: groups.get(id) ?? [] }),
    }),
    cookies: { keys: ["test"] },
    features: { devInteractions: { enabled: true } },
  };
}

/** What a browser would do at the service, up to the address it is sent back to, which nobody visits. */
export async function goThere(address: string, name: string): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let next = address;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const answer = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(key, value);
    }
    const page = await answer.text();
    const location = answer.headers.get("location");
    const action = location ?? /action="([^"]+)"/.exec(page)?.[1] ?? "";
    next = new URL(action, next).href;
    if (new URL(next).origin !== origin) return next;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
    form = location === null ? new URLSearchParams({ prompt, login: name, password: "any" }) : undefined;
  }
  throw new Error(`the service goes round in circles: ${next}`);
}
