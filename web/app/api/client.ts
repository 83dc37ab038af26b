// The one client of this page. The daemon serves the page, so its origin is the daemon's.
import { connectBrowser } from "#client/browser.ts";
import { errorRegistry, HoldfastError } from "#protocol/errors.ts";
import { setConnection } from "~/api/connection.ts";

// A page stays open for days: it waits for a daemon that is away for as long as that takes.
const reconnectMs = Number.MAX_SAFE_INTEGER;

export const client = connectBrowser(location.origin, {
  reconnectMs,
  onAway: (isAway) => setConnection(isAway ? "lost" : "connected"),
});

/** The daemon does not know this browser (any more): asking again is no use. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof HoldfastError && errorRegistry[error.code].category === "unauthenticated";
}

/** What to show of anything that was thrown: our errors say what to do next. */
export function errorText(error: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (error instanceof HoldfastError) return { message: error.message, hint: error.hint };
  return { message: error instanceof Error ? error.message : String(error), hint: undefined };
}
