// Which ended processes are more than the configuration keeps.
import type { Config } from "../../config/index.ts";

export interface EndedRun {
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly bytes: number;
}

/**
 * Oldest first. The newest stay: with the first one that is too old, too many or too large beside what is newer and what lives, all
 * older ones go.
 */
export function excess<Run extends EndedRun>(
  ended: readonly Run[],
  { ageMs, maxEnded, maxDiskBytes }: Config["retention"],
  { nowMs, livingBytes }: { readonly nowMs: number; readonly livingBytes: number },
): Run[] {
  const newestFirst = ended.toSorted((a, b) => b.endedAt - a.endedAt);
  let keptBytes = livingBytes;
  const first = newestFirst.findIndex(({ endedAt, bytes }, kept) => {
    keptBytes += bytes;
    return endedAt < nowMs - ageMs || kept >= maxEnded || keptBytes > maxDiskBytes;
  });
  return first === -1 ? [] : newestFirst.slice(first).toReversed();
}
