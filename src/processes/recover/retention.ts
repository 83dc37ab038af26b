// What is kept of ended processes, and what goes: by age since the end, by number, by disk; the oldest end first.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { excess, type EndedRun } from "./excess.ts";
import { removeRunDirectory } from "./remove-run-directory.ts";

export interface Swept {
  readonly removed: readonly string[];
  /** The record stays: somebody has not read its notice. */
  readonly outputRemoved: readonly string[];
  readonly freedBytes: number;
}

async function diskBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []); // removed by hand
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.blocks ?? 0),
  );
  return sizes.reduce((sum, blocks) => sum + blocks * 512, 0);
}

/** What the last look measured: the run of an ended process grows no more, so it is measured once. */
const measured = new WeakMap<ProcessContext, ReadonlyMap<string, number>>();

interface MeasuredRun extends EndedRun {
  readonly record: ProcessRecord;
}

async function measureEnded(context: ProcessContext): Promise<MeasuredRun[]> {
  const known = measured.get(context);
  const runs: MeasuredRun[] = [];
  for (const record of await context.store.processes.ended()) {
    const bytes = record.outputRemoved
      ? 0
      : (known?.get(record.id) ?? (await diskBytes(directoryOf(context, record.id))));
    runs.push({ record, endedAt: record.endedAt ?? 0, bytes });
  }
  measured.set(context, new Map(runs.map(({ record, bytes }) => [record.id, bytes])));
  return runs;
}

async function measureLiving(context: ProcessContext): Promise<number> {
  let sum = 0;
  for (const { id } of context.registry.live()) sum += await diskBytes(directoryOf(context, id));
  return sum;
}

export async function removeProcess(context: ProcessContext, id: string): Promise<void> {
  // The row first: a directory without a row would be taken for a lost row and made one again.
  await context.registry.remove(id);
  await removeRunDirectory(context.home, id);
}

/** The record stays: somebody is still owed how it ended. */
async function removeOutput(context: ProcessContext, id: string): Promise<void> {
  await context.registry.change(id, { outputRemoved: true });
  await removeRunDirectory(context.home, id);
}

export async function sweep(context: ProcessContext, options: { readonly dryRun: boolean }): Promise<Swept> {
  const ended = await measureEnded(context);
  const facts = { nowMs: Date.now(), livingBytes: await measureLiving(context) };
  const going = excess(ended, context.config().retention, facts);
  const owed = await context.store.notices.owedProcesses(going.map(({ record }) => record.id));
  const removed = going.filter(({ record }) => !owed.has(record.id));
  const emptied = going.filter(({ record }) => owed.has(record.id) && !record.outputRemoved);
  if (!options.dryRun) {
    for (const { record } of removed) await removeProcess(context, record.id);
    for (const { record } of emptied) await removeOutput(context, record.id);
  }
  return {
    removed: removed.map(({ record }) => record.id),
    outputRemoved: emptied.map(({ record }) => record.id),
    freedBytes: [...removed, ...emptied].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Sweeps from time to time, not when the next process starts. Returns how to stop. */
export function sweepRegularly(context: ProcessContext): () => void {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(() => {
      sweep(context, { dryRun: false })
        .catch((error: unknown) => context.report("Retention failed.", error))
        .finally(() => context.signal.aborted || next());
    }, context.config().retention.intervalMs);
    timer.unref();
  };
  next();
  return () => clearTimeout(timer);
}
