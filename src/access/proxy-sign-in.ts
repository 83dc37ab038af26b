// Whoever a named proxy says has signed in there.
import type { IncomingHttpHeaders } from "node:http";
import type { Who } from "../protocol/access.ts";
import type { ProxyConfig } from "./settings.ts";
import type { Visitor } from "./visitor.ts";

const nameShape = /^[\p{L}\p{N}._@+ -]{1,128}$/u;

export function proxyWho(
  proxy: ProxyConfig | null,
  visitor: Visitor,
  headers: IncomingHttpHeaders,
): Who | undefined {
  if (proxy === null || proxy.header === null || !visitor.isProxied) return undefined;
  const given = headers[proxy.header.toLowerCase()];
  // Twice: the proxy has let one through that is not its own.
  if (typeof given !== "string" || !nameShape.test(given)) return undefined;
  const role = Object.hasOwn(proxy.roles, given) ? proxy.roles[given] : undefined;
  return { name: given, role: role ?? proxy.role, via: "proxy" };
}
