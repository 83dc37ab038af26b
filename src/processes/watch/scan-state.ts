// Where a scan of a process's output stands: enough to go on after a kill as if nothing had happened.
import type { RateState } from "./rate-window.ts";

/** Of one stream: everything before `at` is done. */
export interface ScanPlace {
  /** Where its unfinished line begins, or where the next one will. */
  readonly at: number;
  /** So many bytes from `at` on were looked at already, as the end of a piece of a long line. */
  readonly overlap: number;
  /** Watches that this line has been counted for: a prompt that is completed later is one match. */
  readonly counted: readonly string[];
  /** Watches that the piece before it matched. */
  readonly before: readonly string[];
}

export interface ScanState {
  readonly stdout: ScanPlace;
  readonly stderr: ScanPlace;
  /** By watch. */
  readonly rates: Readonly<Record<string, RateState>>;
}

export function scanFrom(offset: number): ScanState {
  const place: ScanPlace = { at: offset, overlap: 0, counted: [], before: [] };
  return { stdout: place, stderr: place, rates: {} };
}

/** Where reading must begin. */
export function resumeAt({ stdout, stderr }: ScanState): number {
  return Math.min(stdout.at, stderr.at);
}
