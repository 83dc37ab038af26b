// The processes of one tree, each with its command line: what `tree` tells.
import { readFile } from "node:fs/promises";
import type { TreeProcess } from "../../protocol/usage.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { msPerTick, type ProcStat } from "./proc-stat.ts";
import { readProcesses } from "./tree-usage.ts";

// A command line may have megabytes; this much of it tells which one it is.
const mostCommandCharacters = 1_000;

const states: Readonly<Record<string, TreeProcess["state"]>> = {
  R: "running",
  S: "sleeping",
  I: "sleeping",
  D: "waiting for disk",
  T: "stopped",
  t: "stopped",
  Z: "zombie",
  X: "zombie",
};

/** Of a process that has ended what it has left running. Empty where the system tells nothing. */
export async function describeTree(context: ProcessContext, record: ProcessRecord): Promise<TreeProcess[]> {
  const stats = await readProcesses(directoryOf(context, record.id), record);
  const bootMs = await bootTimeMs();
  return await Promise.all(
    depthFirst(stats).map(async ({ stat, parentPid, depth }) => ({
      pid: stat.pid,
      parentPid,
      depth,
      command: await commandOf(stat),
      state: states[stat.state] ?? "other",
      cpuMs: stat.cpuMs,
      memoryBytes: stat.memoryBytes,
      threads: stat.threads,
      startedAt: bootMs === undefined ? null : new Date(bootMs + stat.startTicks * msPerTick).toISOString(),
    })),
  );
}

interface Placed {
  readonly stat: ProcStat;
  readonly parentPid: number | null;
  readonly depth: number;
}

/** Each process followed by its children. A tree may be as deep as it likes: this does not call itself. */
export function depthFirst(stats: readonly ProcStat[]): Placed[] {
  const known = new Set(stats.map(({ pid }) => pid));
  const children = Map.groupBy(stats, ({ parentPid }) => (known.has(parentPid) ? parentPid : null));
  const waiting = (children.get(null) ?? [])
    .map((stat): Placed => ({ stat, parentPid: null, depth: 0 }))
    .toReversed();
  const placed: Placed[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    placed.push(next);
    const { stat: parent, depth } = next;
    for (const stat of (children.get(parent.pid) ?? []).toReversed())
      waiting.push({ stat, parentPid: parent.pid, depth: depth + 1 });
  }
  return placed;
}

/** As `ps` shows it: the name in brackets where there is no command line, as of a zombie. */
async function commandOf({ pid, name }: ProcStat): Promise<string> {
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""); // ended since
  const words = line.slice(0, mostCommandCharacters).replaceAll("\0", " ").trimEnd();
  return words === "" ? `[${name}]` : words;
}

async function bootTimeMs(): Promise<number | undefined> {
  const stat = await readFile("/proc/stat", "latin1").catch(() => ""); // no /proc
  const seconds = /^btime (\d+)$/m.exec(stat)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
