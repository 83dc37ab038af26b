// How much is measured, and where.
import type { WayName } from "./ways/names.ts";

export interface BenchSetting {
  readonly scratch: string;
  /** The built daemon. */
  readonly daemonProgram: string;
  /** The built command line. */
  readonly cliProgram: string;
  /** Those that are installed. */
  readonly peers: readonly WayName[];
  readonly roundCount: number;
  readonly warmUpStarts: number;
  readonly startsPerRound: number;
  readonly listenMs: number;
}

export const amounts = {
  full: { roundCount: 5, warmUpStarts: 1_000, startsPerRound: 200, listenMs: 10_000 },
  /** For work on the bench itself, and for a first look. */
  quick: { roundCount: 2, warmUpStarts: 100, startsPerRound: 100, listenMs: 2_000 },
} as const;
