// Finds what a test file left behind: living descendants, processes that name its directory, and open files in it.
// Linux only: elsewhere there is no /proc and nothing is found.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface LiveProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly why: "descendant" | "names the test directory";
}

/** A file of /proc, or nothing when the process is gone or belongs to another user. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // A process may end between the listing and this read.
  }
}

function listPids(): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** State and parent. The command name in `stat` may hold spaces and brackets, so fields count from the last ")". */
function readStat(pid: number): { state: string; parent: number } | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state && parent ? { state, parent: Number(parent) } : undefined;
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at; at = parents.get(at)) if (at === ancestor) return true;
  return false;
}

/** Processes that this test process started, or that name `directory` in their command line or environment. */
export function findLiveProcesses(directory: string): LiveProcess[] {
  const parents = new Map<number, number>();
  for (const pid of listPids()) {
    const stat = readStat(pid);
    // A zombie runs nothing; an orphaned one only waits for process 1, which may take seconds.
    if (stat && stat.state !== "Z" && stat.state !== "X") parents.set(pid, stat.parent);
  }
  const found: LiveProcess[] = [];
  for (const [pid, parent] of parents) {
    if (pid === process.pid) continue;
    const commandLine = readProc(`/proc/${pid}/cmdline`);
    const command = commandLine.replaceAll("\0", " ").trim();
    const named = commandLine.includes(directory) || readProc(`/proc/${pid}/environ`).includes(directory);
    if (isBelow(pid, process.pid, parents)) found.push({ pid, parent, command, why: "descendant" });
    else if (named) found.push({ pid, parent, command, why: "names the test directory" });
  }
  return found;
}

/**
 * The same without the keepers that a launcher has forked ahead of need: they have started nothing. One that was forked this
 * moment still shows its parent's command line.
 */
export function findBusyProcesses(directory: string): LiveProcess[] {
  const live = findLiveProcesses(directory);
  const commands = new Map(live.map((each) => [each.pid, each.command]));
  return live.filter(({ command, parent }) => {
    const isJustForked = / launcher \S+$/.test(command) && commands.get(parent) === command;
    return !isJustForked && !/ keep \.spare-\S+$/.test(command);
  });
}

/** Paths inside `directory` that this process still has open. */
export function findOpenFiles(directory: string): string[] {
  if (!existsSync("/proc/self/fd")) return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(`${directory}/`) ? [target] : [];
    } catch {
      return []; // The descriptor of the listing itself is closed by now.
    }
  });
}

/** What is still there after `deadlineMs`, as lines for a message; empty when all is clean. */
export async function waitForNoLeaks(directory: string, deadlineMs: number): Promise<string[]> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const leaks = [
      ...findLiveProcesses(directory).map((leak) => `pid ${leak.pid} (${leak.why}): ${leak.command}`),
      ...findOpenFiles(directory).map((path) => `open file: ${path}`),
    ];
    if (leaks.length === 0 || performance.now() > end) return leaks;
    await delay(20);
  }
}
