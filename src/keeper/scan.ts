// Which runs of a home are alive: the keeper binary answers for the whole folder in one call (CONTRACT.md §6), because
// only it can look at locks without taking them.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { HoldfastError } from "../protocol/errors.ts";

export const runStatuses = [
  "live",
  "ended",
  "unkept",
  "earlier-boot",
  "abandoned",
  "fenced",
  "damaged",
] as const;
export type RunStatus = (typeof runStatuses)[number];

export interface ClassifiedRuns {
  readonly live: readonly string[];
  readonly ended: readonly string[];
  /** Nobody keeps them: `Launcher.recover` finds a successor, or ends them as lost. */
  readonly unkept: readonly string[];
  /** Cut off by a reboot: `Launcher.recover` ends them as lost. */
  readonly earlierBoot: readonly string[];
  /** Given up, forbidden or unreadable: not to be listed as runs. */
  readonly hidden: readonly string[];
}

// A line is at most 80 bytes: room for far more runs than a folder can sensibly hold.
const mostOutputBytes = 64 * 1024 * 1024;
const run = promisify(execFile);

/** @throws HoldfastError SYSTEM_ERROR when the binary fails, CONTRACT_MISMATCH for an answer it cannot give */
export async function scanRuns(binary: string, runsDirectory: string): Promise<Map<string, RunStatus>> {
  try {
    const { stdout } = await run(binary, ["scan", runsDirectory], { env: {}, maxBuffer: mostOutputBytes });
    return parseScan(stdout);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new HoldfastError("SYSTEM_ERROR", `${runsDirectory} cannot be scanned.`, { cause: error });
  }
}

/** @throws HoldfastError CONTRACT_MISMATCH */
export function parseScan(text: string): Map<string, RunStatus> {
  const runs = new Map<string, RunStatus>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [id, word] = line.split(" ", 2);
    const status = runStatuses.find((known) => known === word);
    // Passing over it would hide a run.
    if (!id || status === undefined)
      throw new HoldfastError("CONTRACT_MISMATCH", `The scan says ${JSON.stringify(line)}.`);
    runs.set(id, status);
  }
  return runs;
}

export function classifyRuns(runs: ReadonlyMap<string, RunStatus>): ClassifiedRuns {
  const having = (...statuses: readonly RunStatus[]): string[] => {
    return [...runs].filter(([, status]) => statuses.includes(status)).map(([id]) => id);
  };
  return {
    live: having("live"),
    ended: having("ended"),
    unkept: having("unkept"),
    earlierBoot: having("earlier-boot"),
    hidden: having("abandoned", "fenced", "damaged"),
  };
}
