// After a restart of the daemon: every row and every run directory is looked at once, and each process ends up as what it truly is.
import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { runsDirectory, scanRuns, type RunStatus } from "../../keeper/index.ts";
import { processIdPrefix } from "../../protocol/id-prefix.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { ownRunPrefix } from "../start/run-to-end.ts";
import { recordFromDirectory } from "./record-from-directory.ts";
import { isNotTaken, settleRow, type Settled } from "./settle.ts";

export interface Recovery {
  readonly adopted: number;
  readonly ended: number;
  readonly rebuilt: number;
}

/** What is to be looked at, and what of it the store has not taken. */
interface Work {
  readonly rows: readonly ProcessRecord[];
  /** Directories that no row knows. */
  readonly unknown: readonly string[];
}

// A full disk is cleared by hand, or by retention within a minute: asking every second costs nothing.
const retryMs = 1_000;

/** From a directory that no row knows: the store was lost, or never heard of it. Undefined for one that is not ours. */
async function rebuild(context: ProcessContext, id: string): Promise<ProcessRecord | undefined> {
  const record = await recordFromDirectory(context, id).catch(() => undefined); // not ours, or removed under us
  if (record !== undefined) await context.registry.insert(record);
  return record;
}

const unusable: ReadonlySet<RunStatus | undefined> = new Set([undefined, "abandoned", "fenced", "damaged"]);

async function settleAll(
  context: ProcessContext,
  { rows, unknown }: Work,
  runs: ReadonlyMap<string, RunStatus>,
): Promise<{ readonly recovery: Recovery; readonly left: Work }> {
  const settled = await Promise.all(rows.map((record) => settleRow(context, record, runs.get(record.id))));
  const count = (outcome: Settled): number => settled.filter((one) => one === outcome).length;
  const left = { rows: rows.filter((_row, index) => settled[index] === "postponed"), unknown: [...unknown] };
  let rebuilt = 0;
  for (const id of unknown) {
    try {
      const record = unusable.has(runs.get(id)) ? undefined : await rebuild(context, id);
      left.unknown.shift();
      if (record === undefined) continue;
      rebuilt += 1;
      if ((await settleRow(context, record, runs.get(id))) === "postponed") left.rows.push(record);
    } catch (error) {
      if (!isNotTaken(error)) throw error;
      break; // it takes the others no better
    }
  }
  return { recovery: { adopted: count("adopted"), ended: count("ended"), rebuilt }, left };
}

/** Until the store takes them they are told as they were left: a full disk must not keep an end from being told for ever. */
async function settleLater(context: ProcessContext, work: Work): Promise<void> {
  let { rows, unknown } = work;
  context.report(
    `${rows.length + unknown.length} processes cannot be recovered yet: the store takes nothing.`,
  );
  while (rows.length + unknown.length > 0) {
    await delay(retryMs, undefined, { signal: context.signal, ref: false });
    const runs = await scanRuns(context.binary, runsDirectory(context.home));
    ({ rows, unknown } = (await settleAll(context, { rows, unknown }, runs)).left);
  }
}

/** `rows`: what an earlier daemon left. With others that are just starting this must not interfere. */
export async function recover(
  context: ProcessContext,
  rows: readonly ProcessRecord[] = context.registry.live(),
): Promise<Recovery> {
  await context.watches.resumeEnds();
  const runs = await scanRuns(context.binary, runsDirectory(context.home));
  const unknown: string[] = [];
  for (const [id, status] of runs) {
    if (id.startsWith(ownRunPrefix) && status !== "live")
      await rm(directoryOf(context, id), { recursive: true, force: true });
    if (id.startsWith(processIdPrefix) && (await context.registry.get(id)) === undefined) unknown.push(id);
  }
  const { recovery, left } = await settleAll(context, { rows, unknown }, runs);
  if (left.rows.length + left.unknown.length > 0) {
    void settleLater(context, left).catch((error: unknown) => {
      if (!context.signal.aborted) context.report("Recovery could not be finished.", error);
    });
  }
  return recovery;
}
