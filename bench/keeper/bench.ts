// npm run bench keeper: the bars of the keeper, each beside the same work done without one, in the same run.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCapture } from "./capture.ts";
import { measureConfined } from "./confined.ts";
import { measureCrowd } from "./crowd.ts";
import { measureEcho } from "./echo.ts";
import { describeMachine } from "./machine.ts";
import { measureMemory } from "./memory.ts";
import { measureStarts } from "./start.ts";
import type { Row } from "./table.ts";

const parts: ReadonlyArray<readonly [string, (scratch: string) => Promise<readonly Row[]>]> = [
  ["starts", measureStarts],
  ["confined", measureConfined],
  ["capture", measureCapture],
  ["memory", measureMemory],
  ["echo", measureEcho],
  ["a crowd", measureCrowd],
];

/**
 * Without a journal, ext4 passes over every inode of a block group that was freed in the last minutes, one by one, at
 * each file it makes there: 0.17 ms a file was seen where a bench had just been removed. Homes in a directory marked as a top one (chattr +T)
 * are spread over the disk like those of users, away from what tests have removed.
 */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(process.env["HOLDFAST_BENCH_DIRECTORY"] ?? tmpdir(), "hf-bench-"));
  spawnSync("chattr", ["+T", scratch], { stdio: "ignore" }); // other file systems refuse, and need it not
  return scratch;
}

/** only: names of parts; default: all. */
export async function benchKeeper({ only = [] }: { readonly only?: readonly string[] } = {}): Promise<
  readonly Row[]
> {
  const scratch = makeScratch();
  console.log(`${describeMachine(scratch)}\n`);
  const rows: Row[] = [];
  try {
    for (const [name, measure] of parts) {
      if (only.length > 0 && !only.includes(name)) continue;
      console.error(`measuring ${name} …`);
      rows.push(...(await measure(scratch)));
    }
  } finally {
    // Only now, for the reason that makeScratch has.
    await rm(scratch, { recursive: true, force: true });
  }
  return rows;
}
