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

export interface ErrorText {
  readonly message: string;
  readonly hint: string | undefined;
  /** What to look up, or to tell somebody who helps. */
  readonly code: string | undefined;
}

/** What to show of anything that was thrown: our errors say what to do next. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof HoldfastError) {
    const { message, hint, code } = error;
    return { message, hint, code };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, hint: undefined, code: undefined };
}
