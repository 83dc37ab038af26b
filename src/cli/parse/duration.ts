// Durations as people type them: 90s, 5m, 1h30m, 250ms, 2d. A bare number is seconds, as for sleep(1).
import { invalidArgument } from "./invalid-argument.ts";

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** In milliseconds. @throws HoldfastError INVALID_ARGUMENT */
export function parseDuration(text: string): number {
  const bare = /^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(bare)) {
    throw invalidArgument(`"${text}" is no duration`, "Write it like 90s, 5m, 1h30m or 250ms.");
  }
  let sumMs = 0;
  for (const [, amount, unit] of bare.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    sumMs += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  }
  return Math.round(sumMs);
}

/** As parseDuration; zero is an error too. */
export function parsePositiveDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms <= 0) throw invalidArgument(`"${text}" is no time at all`, "Give more than zero, as in 90s.");
  return ms;
}
