// The cookies of the gate. Their names hold the port: browsers send a cookie to every port of a host, and each daemon needs its own.
import type { IncomingHttpHeaders } from "node:http";

export type CookiePurpose = "session" | "flow";

export interface CookiePlace {
  readonly port: number;
  /** Our pages come over HTTPS, as the browser sees it. */
  readonly isSecure: boolean;
}

/** `__Host-`: the browser lets nobody but this very host set it. */
function cookieName(purpose: CookiePurpose, { port, isSecure }: CookiePlace): string {
  return `${isSecure ? "__Host-" : ""}holdfast-${purpose}-${port}`;
}

export function readCookie(
  headers: IncomingHttpHeaders,
  purpose: CookiePurpose,
  place: CookiePlace,
): string | undefined {
  const wanted = `${cookieName(purpose, place)}=`;
  const parts = (headers.cookie ?? "").split(";").map((part) => part.trim());
  return parts.find((part) => part.startsWith(wanted))?.slice(wanted.length) || undefined;
}

/**
 * The value of a set-cookie header; without a secret, one that removes it. Lax, not Strict: a link in a message, and the way back from
 * a sign-in elsewhere, arrive signed in. What changes something is judged by its origin, not by this.
 */
export function cookieHeader(
  purpose: CookiePurpose,
  place: CookiePlace,
  cookie: { readonly secret: string; readonly lifeMs: number } | undefined,
): string {
  const seconds = cookie === undefined ? 0 : Math.floor(cookie.lifeMs / 1_000);
  return [
    `${cookieName(purpose, place)}=${cookie?.secret ?? ""}`,
    "Path=/",
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(place.isSecure ? ["Secure"] : []),
  ].join("; ");
}
