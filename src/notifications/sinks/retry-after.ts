// How long a receiver asks to be left alone: seconds or a date (RFC 9110 §10.2.3).

const longestMs = 86_400_000;

/** Undefined for anything else; never more than a day. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const pauseMs = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(pauseMs) ? undefined : Math.min(longestMs, Math.max(0, pauseMs));
}
