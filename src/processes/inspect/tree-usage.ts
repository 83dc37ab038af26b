// CPU and memory of a process with its descendants, read from /proc. Zeros where there is none.
import { readFile, readdir } from "node:fs/promises";

export interface TreeUsage {
  readonly processes: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

// USER_HZ is 100 on every Linux that Node runs on; a page is asked for once where it matters.
const msPerTick = 10;
const pageBytes = 4_096;

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
  const found = [pid];
  for (let at = 0; at < found.length; at++) found.push(...(await childrenOf(found[at] ?? 0)));
  return found;
}

async function usageOf(pid: number): Promise<{ cpuMs: number; memoryBytes: number } | undefined> {
  const stat = await readProc(`/proc/${pid}/stat`);
  if (stat === "") return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Fields 14-17 of proc(5): own and waited-for time, user and system; 24: resident pages.
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
  return { cpuMs: ticks * msPerTick, memoryBytes: Number(fields[21] ?? 0) * pageBytes };
}

export async function treeUsage(pid: number): Promise<TreeUsage> {
  const usages = (await Promise.all((await treeOf(pid)).map(usageOf))).filter((usage) => usage !== undefined);
  return {
    processes: usages.length,
    cpuMs: usages.reduce((sum, usage) => sum + usage.cpuMs, 0),
    memoryBytes: usages.reduce((sum, usage) => sum + usage.memoryBytes, 0),
  };
}
