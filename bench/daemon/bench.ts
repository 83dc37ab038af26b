// npm run bench daemon: the bars of the daemon, each beside others that do the same work, in the same run.
import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { makeScratch } from "../keeper/bench.ts";
import { describeMachine } from "../keeper/machine.ts";
import type { Row } from "../keeper/table.ts";
import { amounts, type BenchSetting } from "./bench-setting.ts";
import { buildPackage } from "./build-package.ts";
import { measureChatty } from "./chatty.ts";
import { measureCommandLine } from "./command-line.ts";
import { installPeers } from "./install-peers.ts";
import { measureList } from "./list.ts";
import { measureMemory } from "./memory.ts";
import { measureRecovery } from "./recovery.ts";
import { measureStarts } from "./start.ts";

const parts: ReadonlyArray<readonly [string, (setting: BenchSetting) => Promise<readonly Row[]>]> = [
  ["starts", measureStarts],
  ["chatty", measureChatty],
  ["recovery", measureRecovery],
  ["list", measureList],
  ["memory", measureMemory],
  ["cli", measureCommandLine],
];

export interface DaemonBenchOptions {
  readonly isQuick: boolean;
  /** Names of parts; default: all. */
  readonly only: readonly string[];
}

export async function benchDaemon({ isQuick, only }: DaemonBenchOptions): Promise<readonly Row[]> {
  const scratch = makeScratch();
  const rows: Row[] = [];
  try {
    const peers = installPeers();
    const setting = {
      scratch,
      peers,
      ...(await buildPackage(scratch)),
      ...amounts[isQuick ? "quick" : "full"],
    };
    console.log(`${describeMachine(scratch)}\n`);
    for (const [name, measure] of parts) {
      if (only.length > 0 && !only.includes(name)) continue;
      console.error(`measuring ${name} … (load ${loadavg()[0]?.toFixed(1)})`);
      rows.push(...(await measure(setting)));
    }
  } finally {
    // Only now: making files is slower where many were just removed.
    await rm(scratch, { recursive: true, force: true });
  }
  return rows;
}
