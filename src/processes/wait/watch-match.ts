// Waits for a line of output that matches: the same lines, looked at in the same way, as those of a watch.
import { setTimeout as delay } from "node:timers/promises";
import type { KeptProcess } from "../../keeper/index.ts";
import { longestTimerMs } from "../../protocol/timer.ts";
import type { Condition } from "../../protocol/wait.ts";
import { firstKeptBy } from "../output/first-kept.ts";
import { checkPatterns } from "../watch/check-patterns.ts";
import { OutputScan } from "../watch/output-scan.ts";
import { scanFrom } from "../watch/scan-state.ts";
import type { LineWatch } from "../watch/stream-scan.ts";

export interface LineMatch {
  /** Absolute offset at which the line begins. */
  readonly offset: number;
  readonly line: string;
}

// A line without its end is a prompt once nothing has come for this long.
const promptPauseMs = 150;

type MatchCondition = Extract<Condition, { kind: "match" }>;

/** @throws HoldfastError INVALID_ARGUMENT for a pattern that is not RE2 */
function lineWatchOf({ text, regex = "", stream }: MatchCondition): LineWatch {
  if (text !== undefined) return { id: "wait", pattern: { text }, stream, from: 0 };
  checkPatterns([regex]);
  return { id: "wait", pattern: { regex }, stream, from: 0 };
}

/** Only the signal ends it. */
export async function never(signal: AbortSignal): Promise<never> {
  for (;;) await delay(longestTimerMs, undefined, { signal, ref: false });
}

export interface MatchOptions {
  /** How much it had written when it ended. */
  readonly written: Promise<number>;
  readonly signal: AbortSignal;
}

/** Resolves with the first match; with nothing when the process has ended and all it had written was looked at. */
export async function watchMatch(
  condition: MatchCondition,
  kept: KeptProcess,
  { written, signal }: MatchOptions,
): Promise<LineMatch | undefined> {
  const from = condition.from ?? 0;
  const found = Promise.withResolvers<LineMatch | undefined>();
  const scan = new OutputScan(
    { lines: [lineWatchOf(condition)], rates: [], state: scanFrom(from), until: null },
    { onMatch: ({ offset, line }) => found.resolve({ offset, line }), onGap: () => undefined },
  );
  let endsAt = Infinity;
  const leaveAtEnd = (): void => {
    if (scan.position < endsAt) return;
    scan.look(); // its last line need have no end
    found.resolve(undefined);
  };
  const hearOfEnd = async (): Promise<void> => {
    endsAt = await written;
    leaveAtEnd();
  };
  hearOfEnd().catch(found.reject);
  let timer: NodeJS.Timeout | undefined;
  const readFrom = async (start: number): Promise<void> => {
    for await (const event of kept.output({ from: start, follow: true, marks: true, signal })) {
      scan.take(event);
      leaveAtEnd();
      if (event.kind !== "data") continue;
      clearTimeout(timer);
      timer = setTimeout(() => scan.look(), promptPauseMs);
    }
  };
  const read = async (): Promise<never> => {
    for (let start = from, isRead = false; !isRead;) {
      try {
        await readFrom(start);
        isRead = true;
      } catch (error) {
        const first = firstKeptBy(error);
        // Only who names a place is told that it is gone.
        if (condition.from !== undefined || first === undefined || first <= start) throw error;
        scan.take({ kind: "missing", from: start, to: first, why: "dropped" });
        start = first;
      }
    }
    scan.end();
    await written; // of one that is not known to have ended yet
    found.resolve(undefined);
    return await never(signal);
  };
  try {
    return await Promise.race([found.promise, read()]);
  } finally {
    clearTimeout(timer);
  }
}
