// What the daemon's main thread and the thread that reads output for watches say to each other.
import type { Failure } from "../../protocol/thread-failure.ts";
import type { Keep, WatchHits } from "./hit-recorder.ts";
import type { MatchedLine } from "./matched-line.ts";
import type { ScanState } from "./scan-state.ts";
import type { LineWatch, StreamName } from "./stream-scan.ts";

export interface RateWatch {
  readonly id: string;
  readonly unit: "lines" | "bytes";
  readonly most: number;
  readonly perMs: number;
}

/** Output of one process to be read for some of its watches. */
export interface ScanRequest {
  readonly directory: string;
  readonly lines: readonly LineWatch[];
  readonly rates: readonly RateWatch[];
  readonly state: ScanState;
  /** Only lines that begin before this; null: all that come. */
  readonly until: number | null;
  readonly keep: Keep;
}

/** Output that nobody can look at any more. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** What was found since the last one, and how far the scan is with it: one without the other is worth nothing. */
export interface Batch {
  readonly state: ScanState;
  readonly hits: readonly WatchHits[];
  readonly lines: readonly MatchedLine[];
  readonly gaps: readonly Gap[];
  /** There is nothing more to look at. */
  readonly isLast: boolean;
}

export interface HitsRequest {
  readonly directory: string;
  readonly watch: LineWatch;
  readonly from: number;
  readonly limit: number;
}

export interface Hit {
  readonly offset: number;
  readonly line: string;
  readonly stream: StreamName;
}

export interface FoundHits {
  readonly hits: readonly Hit[];
  readonly next: number | null;
}

export type ToWorker =
  | { readonly kind: "scan"; readonly scan: number; readonly request: ScanRequest }
  /** The last batch is stored. */
  | { readonly kind: "stored"; readonly scan: number; readonly keep: Keep }
  /** The process has ended: look at what there is, then say that it is the last. */
  | { readonly kind: "finish"; readonly scan: number }
  | { readonly kind: "stop"; readonly scan: number }
  | { readonly kind: "find-hits"; readonly call: number; readonly request: HitsRequest }
  | {
      readonly kind: "recovered";
      readonly call: number;
      readonly outcome: { readonly result: "kept" | "ended" } | { readonly failure: Failure };
    };

export type FromWorker =
  | { readonly kind: "batch"; readonly scan: number; readonly batch: Batch }
  | { readonly kind: "failed"; readonly scan: number; readonly failure: Failure }
  /** Asks for a keeper of the run, which only the main thread can get. */
  | { readonly kind: "recover"; readonly scan: number; readonly call: number }
  | { readonly kind: "hits"; readonly call: number; readonly found: FoundHits }
  | { readonly kind: "no-hits"; readonly call: number; readonly failure: Failure };
