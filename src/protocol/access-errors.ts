// The part of the registry about entering by the network.
import { define } from "./error-definition.ts";

export const accessErrors = {
  UNAUTHENTICATED: define("unauthenticated", {
    summary: "Nobody is signed in, or the time of the sign-in is over.",
    hint: "Sign in again: run `holdfast open` on the machine of the daemon, or use its sign-in page.",
  }),
  SIGN_IN_FAILED: define("unauthenticated", {
    summary: "The sign-in was refused.",
    hint: "Check what you gave, then try again.",
  }),
  TOO_MANY_ATTEMPTS: define("limit", {
    summary: "There were too many failed sign-ins, or too many at once.",
    hint: "Wait for details.retryAfterMs, then try again.",
  }),
  PROVIDER_UNREACHABLE: define("unavailable", {
    summary: "The service that signs people in does not answer.",
    hint: "Try again, or sign in another way.",
  }),
  ORIGIN_REFUSED: define("denied", {
    summary: "The request comes from another site, or names a host that this daemon does not answer for.",
    hint: "Open the dashboard at its own address; names it shall answer for go into dashboard.hosts or dashboard.publicUrl.",
  }),
  ROLE_REQUIRED: define("denied", {
    summary: "Whoever is signed in has a role that does not allow this.",
    hint: "See details.role for the role it needs; an admin of this daemon gives it.",
  }),
  DASHBOARD_UNAVAILABLE: define("unavailable", {
    summary: "The dashboard is turned off, or cannot be reached at its address.",
    hint: "See `holdfast daemon status` for the reason; dashboard.listen, dashboard.bind and dashboard.port decide.",
  }),
  TOKEN_NOT_FOUND: define("not_found", {
    summary: "No token has this id or name.",
    hint: "List them with `holdfast token list`.",
  }),
} as const;
