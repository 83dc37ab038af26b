// Where a request comes from and what it was sent to, as far as that is believed: what a proxy says counts only if it is a named one.
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { AddressRanges } from "./address-ranges.ts";
import type { ProxyConfig } from "./settings.ts";

/** What is known of a request before anybody has looked at who sent it. */
export interface Request {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly isUpgrade: boolean;
  /** It came over TLS to this very listener. */
  readonly isEncrypted: boolean;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localPort: number;
}

export interface Visitor {
  /** Of the client; behind a named proxy, as that tells it. */
  readonly address: string;
  /** The connection itself comes from a named proxy. */
  readonly isProxied: boolean;
  /** Name and port the client asked for, in lower case. */
  readonly host: string;
  /** The origin of our own pages, as the client sees them. */
  readonly origin: string;
}

/** Makes ranges once for each configuration. */
const rangesOf = new WeakMap<object, AddressRanges>();

function isNamed(proxy: ProxyConfig | null, address: string): boolean {
  if (proxy === null) return false;
  let ranges = rangesOf.get(proxy);
  if (ranges === undefined) {
    ranges = new AddressRanges(proxy.addresses);
    rangesOf.set(proxy, ranges);
  }
  return ranges.has(address);
}

function lastOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header;
  const last = text?.split(",").at(-1)?.trim();
  return last === "" ? undefined : last;
}

/** The last one that is no proxy of ours: what is left of it anybody could have written. */
function clientAddress(proxy: ProxyConfig | null, forwarded: string | undefined, remote: string): string {
  const hops = (forwarded ?? "").split(",").map((hop) => hop.trim());
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0) return remote;
    if (!isNamed(proxy, hop)) return hop;
  }
  return remote;
}

export function visitorOf(request: Request, proxy: ProxyConfig | null): Visitor {
  const { headers, remoteAddress, isEncrypted } = request;
  const isProxied = isNamed(proxy, remoteAddress);
  const host = (isProxied ? lastOf(headers["x-forwarded-host"]) : undefined) ?? headers.host ?? "";
  const protocol = isProxied ? lastOf(headers["x-forwarded-proto"]) : undefined;
  const scheme = protocol === "https" || (protocol === undefined && isEncrypted) ? "https" : "http";
  const forwarded = headers["x-forwarded-for"];
  const address = isProxied
    ? clientAddress(proxy, Array.isArray(forwarded) ? forwarded.join(",") : forwarded, remoteAddress)
    : remoteAddress;
  return { address, isProxied, host: host.toLowerCase(), origin: `${scheme}://${host.toLowerCase()}` };
}
