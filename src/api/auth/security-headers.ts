// What every answer by the network tells the browser: trust nothing but our own files, show us in no frame, keep nothing.
import type { ServerResponse } from "node:http";

// Styles may be inline: terminals and menus put theirs into the page while they run. Scripts never.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** On the response itself: some routes write their head without Fastify. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader("content-security-policy", contentPolicy);
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
}
