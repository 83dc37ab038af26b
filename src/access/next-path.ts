// Where somebody goes after signing in: a page of this dashboard, and nowhere else.

const base = "http://dashboard.invalid";
// What is no page: signing in again, or answers for programs. Look-alikes such as /v1-notes are pages.
const notPages = /^\/(?:login|enter|auth|v1|mcp|assets|healthz|openapi\.json)(?:\/|$)/i;
// Controls and spaces are dropped by some readers of addresses, and a backslash is read as a slash.
const suspicious = /[\0-\x20\x7f\\]/;

/** The path if it is one, else the front page. */
export function nextPath(given: unknown): string {
  if (typeof given !== "string" || given.length > 2_000 || suspicious.test(given)) return "/";
  if (!given.startsWith("/") || given.startsWith("//")) return "/";
  let url: URL;
  try {
    url = new URL(given, base);
  } catch {
    return "/";
  }
  // Judged as it is read, after dots and doubled slashes have had their effect.
  const path = url.pathname;
  if (url.origin !== base || path.startsWith("//") || notPages.test(decoded(path))) return "/";
  return path + url.search;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "/login"; // cannot be read by anybody, so it is no page
  }
}
