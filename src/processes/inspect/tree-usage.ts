// CPU and memory of a process with its descendants, read from /proc. Zeros where there is none.
import { readFile, readdir } from "node:fs/promises";
import { readKeeperFile } from "../../keeper/index.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { isRunning } from "../../util/process-identity.ts";
import { isDead, parseProcStat, type ProcStat } from "./proc-stat.ts";

export interface TreeUsage {
  readonly processes: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

async function readProc(path: string): Promise<string> {
  return await readFile(path, "latin1").catch(() => ""); // ended since
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => readProc(`/proc/${pid}/task/${thread}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Every living process at or below pid. */
export async function treeOf(pid: number): Promise<number[]> {
  return await below([pid]);
}

async function below(first: readonly number[]): Promise<number[]> {
  const found = [...first];
  for (let at = 0; at < found.length; at++) found.push(...(await childrenOf(found[at] ?? 0)));
  return found;
}

async function statOf(pid: number): Promise<ProcStat | undefined> {
  return parseProcStat(await readProc(`/proc/${pid}/stat`));
}

async function statsOf(pids: readonly number[]): Promise<ProcStat[]> {
  return (await Promise.all(pids.map(statOf))).filter((stat) => stat !== undefined);
}

/**
 * The whole tree of a run: also descendants whose parent has ended, which the kernel has given to the keeper. The child comes
 * first, parents before their children.
 */
async function readTree(directory: string, pid: number): Promise<ProcStat[]> {
  const child = await statOf(pid);
  if (child === undefined) return [];
  const keeper = (await readKeeperFile(directory).catch(() => undefined))?.identity?.pid; // removed under us
  // A keeper that took over from a killed one is not the parent: then only what is below the child is known.
  const siblings = keeper === child.parentPid ? await childrenOf(keeper) : [];
  return await statsOf(await below([pid, ...siblings.filter((other) => other !== pid)]));
}

/** Descendants that live on after the child: the kernel has given them to the keeper, which stays for them. */
async function readLeft(directory: string): Promise<ProcStat[]> {
  const keeper = (await readKeeperFile(directory).catch(() => undefined))?.identity; // removed under us
  // Its pid may be another's by now.
  if (keeper === undefined || !isRunning(keeper)) return [];
  return await statsOf(await below(await childrenOf(keeper.pid)));
}

/** What runs of a process: its tree, or what it has left when it ended. */
export async function readProcesses(
  directory: string,
  { pid, state, exit }: Pick<ProcessRecord, "pid" | "state" | "exit">,
): Promise<ProcStat[]> {
  if (pid === null) return [];
  if (state !== "ended") return await readTree(directory, pid);
  return (exit?.descendants ?? 0) === 0 ? [] : await readLeft(directory);
}

export async function processesUsage(
  directory: string,
  record: Pick<ProcessRecord, "pid" | "state" | "exit">,
): Promise<TreeUsage> {
  const living = (await readProcesses(directory, record)).filter((stat) => !isDead(stat));
  return {
    processes: living.length,
    cpuMs: living.reduce((sum, stat) => sum + stat.cpuMs, 0),
    memoryBytes: living.reduce((sum, stat) => sum + stat.memoryBytes, 0),
  };
}
