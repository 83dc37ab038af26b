import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { arch } from "node:process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { depthFirst } from "../inspect/describe-tree.ts";
import { parseProcStat, type ProcStat } from "../inspect/proc-stat.ts";
import { readProcTable, treeFigures } from "./proc-table.ts";
import { Sampling, type SampledProcess } from "./sampling.ts";

/** A line as the kernel writes it; fields that nobody reads are 0. */
function statLine(
  pid: number,
  parentPid: number,
  more: { name?: string; state?: string; foreground?: number; terminal?: number } = {},
): string {
  const { name = "sh", state = "S", foreground = -1, terminal = foreground > 0 ? 34816 : 0 } = more;
  const times = "3 4 2 1"; // user and system time, own and of children it waited for: 100 ms together
  return `${pid} (${name}) ${state} ${parentPid} ${pid} 0 ${terminal} ${foreground} 0 0 0 0 0 ${times} 20 0 5 0 777 0 10 0\n`;
}

/** Inside the directory of this test file. */
function newDirectory(): string {
  return mkdtempSync(join(homedir(), "usage-"));
}

function fakeProc(lines: readonly string[]): string {
  const place = newDirectory();
  for (const line of lines) {
    const directory = join(place, line.slice(0, line.indexOf(" ")));
    mkdirSync(directory);
    writeFileSync(join(directory, "stat"), line);
  }
  return place;
}

test("a line of a process whose name has spaces and parentheses is read", () => {
  expect(parseProcStat(statLine(42, 7, { name: "a) S (b c" }))).toMatchObject({
    pid: 42,
    name: "a) S (b c",
    state: "S",
    parentPid: 7,
    cpuMs: 100,
    threads: 5,
    startTicks: 777,
  });
  expect(parseProcStat("")).toBeUndefined();
  expect(parseProcStat(statLine(1, 0))?.memoryBytes).toBeGreaterThanOrEqual(40_960);
});

function sampled(more: Partial<SampledProcess>): SampledProcess {
  const terminal = { isTerminal: false, isOpened: false };
  return { id: "p_1", pid: 11, childStart: 777, directory: "/nowhere", ...terminal, ...more };
}

test("a tree has what is below the child and what its keeper was given, and no zombies", () => {
  // 10 is the keeper, 11 the child; 12 below it, 13 an orphan with its own child 14; 15 ended; 20 is somebody else.
  const table = readProcTable(
    fakeProc([
      statLine(10, 1),
      statLine(11, 10),
      statLine(12, 11),
      statLine(13, 10),
      statLine(14, 13),
      statLine(15, 12, { state: "Z" }),
      statLine(20, 1),
    ]),
  );
  if (table === undefined) throw new Error("no table");
  expect(treeFigures(table, 11, 10)).toMatchObject({ processes: 4, cpuMs: 400 });
  expect(treeFigures(table, 11, undefined)).toMatchObject({ processes: 2 });
  // A keeper that took over is not the parent: what else its pid may have below it is nobody's of this tree.
  expect(treeFigures(table, 11, 20)).toMatchObject({ processes: 2 });
  expect(treeFigures(table, 99, 10)).toEqual({ processes: 0, cpuMs: 0, memoryBytes: 0, foreground: [] });
});

test("where the system tells nothing of processes there is still the output, and no error", () => {
  const directory = newDirectory();
  writeFileSync(join(directory, "0000000000000000.log"), "first\nlast\n\n");
  const sampling = new Sampling("/nowhere");
  const process = sampled({ pid: 1, childStart: 2, directory });
  const { rows, machine } = sampling.sample([process]);
  expect(rows).toEqual([
    {
      id: "p_1",
      cpu: null,
      memoryBytes: null,
      processes: null,
      outputBytes: 12,
      outputRate: 0,
      lastLine: "last",
      reads: false,
    },
  ]);
  expect(machine.processors).toBeGreaterThan(0);
  expect(machine.memoryUsedBytes).toBeLessThanOrEqual(machine.memoryBytes);
});

test("only rows that changed are told, and the last one of a process that is no longer asked for", () => {
  const directory = newDirectory();
  const log = join(directory, "0000000000000100.log");
  writeFileSync(log, "");
  const sampling = new Sampling(fakeProc([statLine(11, 10)]));
  const process = sampled({ directory });
  expect(sampling.sample([process]).rows).toHaveLength(1);
  expect(sampling.sample([process])).toMatchObject({ rows: [], ended: [] });
  writeFileSync(log, "one\n");
  const [grown] = sampling.sample([process]).rows;
  expect(grown).toMatchObject({ outputBytes: 104, lastLine: "one", processes: 1 });
  expect(grown?.outputRate).toBeGreaterThan(0);
  writeFileSync(log, "one\ntwo\n");
  const last = sampling.sample([]);
  expect(last.ended).toEqual(["p_1"]);
  expect(last.rows).toMatchObject([{ processes: 0, outputRate: 0, outputBytes: 108, lastLine: "two" }]);
  expect(sampling.sample([])).toMatchObject({ rows: [], ended: [] });
});

test("a pid that belongs to another process by now counts for nothing", () => {
  const sampling = new Sampling(fakeProc([statLine(11, 10)]));
  const process = sampled({ childStart: 776 });
  expect(sampling.sample([process]).rows).toMatchObject([{ processes: 0, memoryBytes: 0, cpu: 0 }]);
});

test("who reads in the foreground of a terminal is seen, unless it is the shell of an opened one or still writes", () => {
  // 11 is a shell behind its child 12, which reads; 13 is in the background, 14 in a terminal that the tree has made itself.
  const place = fakeProc([
    statLine(11, 10, { foreground: 12 }),
    statLine(12, 11, { foreground: 12 }),
    statLine(13, 11, { foreground: 12 }),
    statLine(14, 13, { foreground: 14, terminal: 34817 }),
  ]);
  const read = (pid: number): void => {
    mkdirSync(join(place, `${pid}/task/${pid}`), { recursive: true });
    mkdirSync(join(place, `${pid}/fd`));
    writeFileSync(
      join(place, `${pid}/task/${pid}/syscall`),
      `${arch === "arm64" ? 63 : 0} 0x0 0x7f 0x1 0 0 0 0\n`,
    );
    symlinkSync("/dev/pts/9", join(place, `${pid}/fd/0`));
  };
  const directory = newDirectory();
  const log = join(directory, "0000000000000000.log");
  writeFileSync(log, "Name? ");
  const sampling = new Sampling(place);
  const reads = (more: Partial<SampledProcess> = {}): boolean | undefined =>
    sampling.sample([sampled({ id: `p_${count++}`, directory, isTerminal: true, ...more })]).rows.at(0)
      ?.reads;
  let count = 1;
  read(13);
  read(14);
  expect(reads()).toBe(false);
  read(12);
  expect(reads()).toBe(true);
  expect(reads({ isTerminal: false })).toBe(false);
  expect(reads({ isOpened: true })).toBe(true);
  expect(reads({ isOpened: true, pid: 12 })).toBe(false);
  expect(reads({ id: "p_same" })).toBe(true);
  writeFileSync(log, "Name? Ada");
  expect(reads({ id: "p_same" })).toBe(false);
  expect(reads({ id: "p_same" })).toBe(true);
});

test("a tree is told depth first, orphans after it", () => {
  const stats = [statLine(11, 10), statLine(13, 10), statLine(12, 11), statLine(14, 13), statLine(16, 12)]
    .map(parseProcStat)
    .filter((stat): stat is ProcStat => stat !== undefined);
  expect(depthFirst(stats).map(({ stat, parentPid, depth }) => [stat.pid, parentPid, depth])).toEqual([
    [11, null, 0],
    [12, 11, 1],
    [16, 12, 2],
    [13, null, 0],
    [14, 13, 1],
  ]);
});
