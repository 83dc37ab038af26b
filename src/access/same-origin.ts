// Is a request one of our own pages', or of a program? A browser sends what any site tells it to, with our cookies: so the host it
// asked for (DNS rebinding) and the page that asked (cross-site) are looked at before anything else.
import { isIP } from "node:net";
import { isLoopback } from "./bind-address.ts";
import type { Request, Visitor } from "./visitor.ts";

export interface OriginRules {
  /** Host names besides those of loopback. */
  readonly hosts: readonly string[];
  readonly publicUrl: string | null;
  /** The name it listens on, if it is one. */
  readonly bind: string;
  /** Nobody but this machine reaches it. */
  readonly isLoopback: boolean;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Name without port and brackets; undefined for what is no host. */
function hostNameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/.exec(host) ?? [];
  return bracketed ?? plain;
}

/** A name can be made to mean any address by whoever owns it; an address cannot. */
function isOwnHost(host: string, { hosts, publicUrl, bind, isLoopback: isLocal }: OriginRules): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  if (name === "localhost" || isLoopback(name)) return true;
  if (isIP(name) > 0) return !isLocal || name === bind;
  if (publicUrl !== null && new URL(publicUrl).host === host) return true;
  return [...hosts, bind].some((own) => own.toLowerCase() === name);
}

function isOwnOrigin(origin: string, visitor: Visitor, { publicUrl }: OriginRules): boolean {
  return origin === visitor.origin || (publicUrl !== null && origin === new URL(publicUrl).origin);
}

/** Why the request is refused, in words; undefined when it is not. */
export function whyForeign(request: Request, visitor: Visitor, rules: OriginRules): string | undefined {
  const { headers, method, isUpgrade } = request;
  if (!isOwnHost(visitor.host, rules)) return `the host ${quoted(visitor.host)} is none of this daemon's`;
  const { origin, "sec-fetch-site": site } = headers;
  // A form of a page that tells no referrer comes from "null"; that it is ours only the browser can say, and does.
  const isOwnForm = origin === "null" && site === "same-origin";
  if (origin !== undefined && !isOwnForm && !isOwnOrigin(origin.toLowerCase(), visitor, rules)) {
    return `it comes from ${quoted(origin)}, not from ${visitor.origin}`;
  }
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  // A link on another site, or the way back from a sign-in there. A frame is no such thing.
  const isVisit =
    headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document" && !isUpgrade;
  return safeMethods.has(method) && isVisit
    ? undefined
    : `another site's page asked for it (${quoted(site)})`;
}

/** Does a browser say that one of our own pages asks? Needed where it proves who it is without knowing so: by a cookie, by a proxy. */
export function isKnownOwn({ headers }: Request): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] === "same-origin";
}

export function mayChange({ method, isUpgrade }: Request): boolean {
  return isUpgrade || !safeMethods.has(method);
}

/** It was written by a stranger, and stands in answers and in the record. */
function quoted(text: string): string {
  const shown = text.replaceAll(/[^ -~]/g, "?").slice(0, 100);
  return `"${shown}"`;
}
