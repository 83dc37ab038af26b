// A line that is told: as people and models see it, with the watches it is told for.
import type { StreamName } from "./stream-scan.ts";

export interface MatchedLine {
  /** Where it begins in the output; null for what is no line of it. */
  readonly offset: number | null;
  readonly stream: StreamName | null;
  readonly line: string;
  readonly watches: readonly string[];
}
