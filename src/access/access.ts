// The gate: decides who a request is from and whether it may enter. Adapters tell it what came and do what it says.
import { userInfo } from "node:os";
import type { Config } from "../config/index.ts";
import { ticketPrefix, type Ticket, type Who } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { CredentialRecord, Store } from "../store/index.ts";
import { AccessRecord } from "./access-record.ts";
import { isLoopback, type BindAddress } from "./bind-address.ts";
import { readCookie } from "./cookies.ts";
import { CredentialDesk } from "./credential-desk.ts";
import { OidcSignIn } from "./oidc-sign-in.ts";
import { OneTime, type Issued } from "./one-time.ts";
import { PasswordSignIn } from "./password-sign-in.ts";
import { peerUid } from "./peer-user.ts";
import { proxyWho } from "./proxy-sign-in.ts";
import { isKnownOwn, mayChange, whyForeign } from "./same-origin.ts";
import type { DashboardConfig } from "./settings.ts";
import { visitorOf, type Request, type Visitor } from "./visitor.ts";

export interface AccessOptions {
  readonly store: Store;
  readonly config: () => Config;
  readonly environment: NodeJS.ProcessEnv;
  /** Nobody is asked who they are: everybody is admin. */
  readonly isInsecure: boolean;
  /** Hears of every change of the configuration. Returns the way to stop hearing. */
  readonly onConfigChange: (listener: () => void) => () => void;
  readonly report: (message: string, cause?: unknown) => void;
}

/** Somebody who may enter. */
export interface Identity {
  readonly who: Who;
  /** Which session or token; null: told anew with every request. */
  readonly credential: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | null;
  /** The browser proves it without knowing so, for any page that asks. */
  readonly isAmbient: boolean;
  /** What a proxy vouched for: to be judged again when the configuration changes. */
  readonly vouched?: Request;
}

export interface SignedIn {
  readonly secret: string;
  readonly lifeMs: number;
  readonly who: Who;
}

/** A request that has passed the first look. */
export interface Visit {
  readonly request: Request;
  readonly visitor: Visitor;
  readonly requestId: string;
}

const linkLifeMs = 300_000;
const ticketLifeMs = 30_000;

const unauthenticated = (message: string): HoldfastError => new HoldfastError("UNAUTHENTICATED", message);

export class Access {
  readonly credentials: CredentialDesk;
  readonly record: AccessRecord;
  readonly #options: AccessOptions;
  readonly #links = new OneTime<{ readonly by: string }>({ lifeMs: linkLifeMs, most: 20 });
  readonly #tickets = new OneTime<Identity>({ lifeMs: ticketLifeMs, most: 10_000 });
  readonly #password: PasswordSignIn;
  readonly #oidc: OidcSignIn;

  constructor(options: AccessOptions) {
    const { store, environment, report } = options;
    this.#options = options;
    this.record = new AccessRecord({ store, report });
    this.credentials = new CredentialDesk({ store, report, config: () => this.config });
    this.#password = new PasswordSignIn(() => this.config.users);
    this.#oidc = new OidcSignIn({ environment, providers: () => this.config.oidc });
  }

  get config(): DashboardConfig {
    return this.#options.config().dashboard;
  }

  get isInsecure(): boolean {
    return this.#options.isInsecure;
  }

  /** @throws HoldfastError ORIGIN_REFUSED */
  receive(request: Request, requestId: string, bind: BindAddress): Visit {
    const visitor = visitorOf(request, this.config.proxy);
    const why = whyForeign(request, visitor, { ...this.config, isLoopback: bind.isLoopback });
    const visit = { request, visitor, requestId };
    if (why === undefined) return visit;
    this.#refuse(visit, why);
    throw new HoldfastError("ORIGIN_REFUSED", `The request is refused: ${why}.`);
  }

  /** @throws HoldfastError UNAUTHENTICATED, ORIGIN_REFUSED */
  async identify(visit: Visit): Promise<Identity> {
    const { request } = visit;
    const identity = await this.#find(visit);
    if (identity === undefined) throw unauthenticated("Nobody is signed in.");
    if (identity.isAmbient && mayChange(request) && !isKnownOwn(request)) {
      this.#refuse(visit, "a browser's request that changes something must say which page it comes from");
      throw new HoldfastError("ORIGIN_REFUSED", "The request does not say which page it comes from.");
    }
    return identity;
  }

  /** Hears when what somebody came in by may have changed. Returns the way to stop hearing. */
  onChange(listener: () => void): () => void {
    return this.#options.onConfigChange(listener);
  }

  /** Would they be let in now, as who they are? */
  async stillCounts({ credential, vouched, who }: Identity): Promise<boolean> {
    if (credential !== null) return (await this.credentials.byId(credential)) !== undefined;
    return vouched === undefined || this.#proxied(vouched)?.role === who.role;
  }

  /** For one WebSocket, which a browser can send no cookie of ours with that it could not be made to send. */
  issueTicket(identity: Identity): Ticket {
    const { secret, expiresAt } = this.#tickets.issue(identity);
    return { ticket: secret, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** Lets a browser in, once: for whoever may use the Unix socket. */
  issueLink(by: string): Issued {
    return this.#links.issue({ by });
  }

  /** @throws HoldfastError SIGN_IN_FAILED */
  async signInByLink(visit: Visit, secret: string): Promise<SignedIn> {
    const link = this.#links.take(secret);
    const name = userInfo().username;
    if (link === undefined) {
      this.#refuseSignIn(visit, "link", name);
      throw new HoldfastError("SIGN_IN_FAILED", "The link was used already, or its time is over.", {
        hint: "Get a new one: run `holdfast open` on the machine of the daemon.",
      });
    }
    if (!this.#isOurs(visit)) {
      this.#refuseSignIn(visit, "link, by another user of this machine", name);
      throw new HoldfastError("SIGN_IN_FAILED", "The link is for another user of this machine.");
    }
    return await this.#enter(visit, { name, role: "admin", via: "link" });
  }

  /** @throws HoldfastError SIGN_IN_FAILED, TOO_MANY_ATTEMPTS */
  async signInByPassword(visit: Visit, name: string, password: string): Promise<SignedIn> {
    const shown = name.replaceAll(/[^\p{L}\p{N}._@+-]/gu, "?").slice(0, 64);
    const { address } = visit.visitor;
    const role = await this.#password.check({ name, password, address }).catch((error: unknown) => {
      this.#refuseSignIn(visit, "password, too many", shown);
      throw error;
    });
    if (role !== undefined) return await this.#enter(visit, { name, role, via: "password" });
    this.#refuseSignIn(visit, "password", shown);
    throw new HoldfastError("SIGN_IN_FAILED", "Name or password are not right.");
  }

  /** @throws HoldfastError NOT_FOUND, PROVIDER_UNREACHABLE */
  async beginOidc(visit: Visit, provider: string, next: string): Promise<{ address: string; flow: Issued }> {
    const base =
      this.config.publicUrl === null ? visit.visitor.origin : new URL(this.config.publicUrl).origin;
    const callback = `${base}/auth/oidc/${encodeURIComponent(provider)}/callback`;
    return await this.#oidc.begin(provider, { callback, next });
  }

  /** @throws HoldfastError SIGN_IN_FAILED, PROVIDER_UNREACHABLE */
  async completeOidc(
    visit: Visit,
    provider: string,
    { flow, search }: { readonly flow: string; readonly search: string },
  ): Promise<SignedIn & { readonly next: string }> {
    try {
      const { name, role, next } = await this.#oidc.complete(provider, flow, search);
      return { ...(await this.#enter(visit, { name, role, via: "oidc" }, provider)), next };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#refuseSignIn(visit, `oidc ${provider}: ${why}`, "somebody");
      throw error;
    }
  }

  async signOut({ credential, who }: Identity, { visitor, requestId }: Visit): Promise<void> {
    if (credential === null || who.via === "token") return;
    await this.credentials.end(credential);
    const by = describeWho(who, visitor.address);
    await this.record.add({ what: "signed-out", decision: "allow", by, about: null, requestId });
  }

  close(): void {
    this.record.close();
  }

  async #find({ request, visitor }: Visit): Promise<Identity | undefined> {
    const { headers, isUpgrade } = request;
    if (headers.authorization !== undefined) {
      const [, secret = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization) ?? [];
      return identityOf(await this.credentials.bySecret("token", secret), false);
    }
    if (isUpgrade) {
      const byTicket = await this.#byTicket(headers["sec-websocket-protocol"] ?? "");
      return byTicket ?? this.#anybody();
    }
    const cookie = readCookie(headers, "session", cookiePlace({ request, visitor }));
    const session = cookie === undefined ? undefined : await this.credentials.bySecret("session", cookie);
    if (session !== undefined) return identityOf(session, true);
    const who = this.#proxied(request);
    if (who === undefined) return this.#anybody();
    return { who, credential: null, expiresAt: null, isAmbient: true, vouched: request };
  }

  #proxied(request: Request): Who | undefined {
    const { proxy } = this.config;
    return proxyWho(proxy, visitorOf(request, proxy), request.headers);
  }

  /** Bound to the session it was given to: with that it ends, and what that may do is what it may do. */
  async #byTicket(protocols: string): Promise<Identity | undefined> {
    const offered = protocols.split(",").map((protocol) => protocol.trim());
    const ticket = offered.find((protocol) => protocol.startsWith(ticketPrefix));
    const identity = ticket === undefined ? undefined : this.#tickets.take(ticket.slice(ticketPrefix.length));
    if (identity === undefined) return undefined;
    if (identity.credential === null) return (await this.stillCounts(identity)) ? identity : undefined;
    const record = await this.credentials.byId(identity.credential);
    return identityOf(record, identity.isAmbient);
  }

  #anybody(): Identity | undefined {
    if (!this.isInsecure) return undefined;
    return {
      who: { name: "anybody", role: "admin", via: "insecure" },
      credential: null,
      expiresAt: null,
      isAmbient: false,
    };
  }

  /** A link may be seen by other users of this machine, in the arguments of the browser; the kernel knows who opened the connection. */
  #isOurs({ request, visitor }: Visit): boolean {
    const { remoteAddress, remotePort, localPort } = request;
    if (visitor.isProxied || !isLoopback(remoteAddress) || process.platform !== "linux") return true;
    const uid = peerUid({ remoteAddress, remotePort, localPort });
    return uid === process.getuid?.() || uid === 0;
  }

  async #enter(visit: Visit, who: Who, provider?: string): Promise<SignedIn> {
    const by = describeWho(who, visit.visitor.address);
    const about = `as ${who.role}`;
    const { requestId } = visit;
    await this.record.add({ what: "signed-in", decision: "allow", by, about, requestId });
    const { record, secret } = await this.credentials.openSession(who, provider);
    return { secret, lifeMs: (record.expiresAt ?? 0) - record.createdAt, who };
  }

  #refuseSignIn({ visitor, requestId }: Visit, way: string, name: string): void {
    const by = `${name} from ${visitor.address}`;
    this.record.addRefusal({ what: "sign-in-refused", decision: "deny", by, about: way, requestId });
  }

  #refuse({ visitor, requestId }: Visit, why: string): void {
    const by = `somebody from ${visitor.address}`;
    this.record.addRefusal({ what: "refused", decision: "deny", by, about: why, requestId });
  }
}

export function cookiePlace({ request, visitor }: Pick<Visit, "request" | "visitor">): {
  port: number;
  isSecure: boolean;
} {
  return { port: request.localPort, isSecure: visitor.origin.startsWith("https:") };
}

/** For the record. */
export function describeWho({ name, via }: Who, address?: string): string {
  return address === undefined ? `${name} (${via})` : `${name} (${via}) from ${address}`;
}

function identityOf(record: CredentialRecord | undefined, isAmbient: boolean): Identity | undefined {
  if (record === undefined) return undefined;
  const { id, name, role, via, expiresAt } = record;
  return { who: { name, role, via }, credential: id, expiresAt, isAmbient };
}
