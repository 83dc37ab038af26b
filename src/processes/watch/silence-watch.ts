// Tells when nothing was written for a time. Nothing is read for it: the files know when they were written last.
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { listSegments } from "../../keeper/index.ts";

// While it is silent, how often it is looked whether it is over: a new silence begins with its last byte all the same.
const leastPauseMs = 50;
const longestPauseMs = 5_000;

export interface SilenceOptions {
  readonly directory: string;
  readonly ms: number;
  /** Silence before the first byte counts from here; milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Time of the last byte before the silence that was told. */
  readonly told: () => number | undefined;
  /** Resolves when it is stored. */
  readonly tell: (lastByteMs: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Goes on until the signal. */
export async function watchSilence(options: SilenceOptions): Promise<void> {
  const { ms, told, tell, signal } = options;
  while (!signal.aborted) {
    const lastMs = await lastByteMs(options);
    const quietMs = Date.now() - lastMs;
    if (quietMs >= ms && told() !== lastMs) await tell(lastMs);
    const pauseMs = quietMs < ms ? ms - quietMs : Math.min(longestPauseMs, Math.max(leastPauseMs, ms / 4));
    await delay(pauseMs, undefined, { signal, ref: false });
  }
}

async function lastByteMs({ directory, startedAtMs }: SilenceOptions): Promise<number> {
  const last = (await listSegments(directory)).findLast(({ sizeBytes }) => sizeBytes > 0);
  if (last === undefined) return startedAtMs;
  // Dropped between the listing and now: then something was written just now.
  const { mtimeMs } = await stat(last.logPath).catch(() => ({ mtimeMs: Date.now() }));
  return Math.floor(mtimeMs);
}
