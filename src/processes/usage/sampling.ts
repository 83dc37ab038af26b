// What one sample finds, compared with the one before it. Remembers only numbers and the last line of each process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseKeeperFile } from "../../keeper/index.ts";
import type { MachineUsage, ProcessUsage } from "../../protocol/usage.ts";
import { MachineMeter } from "./machine.ts";
import { lastLineOf, outputTail, type OutputTail } from "./output-tail.ts";
import { readProcTable, treeFigures, type ProcTable, type TreeFigures } from "./proc-table.ts";
import { roundShare } from "./round-share.ts";
import { readsTerminal } from "./terminal-reads.ts";

export interface SampledProcess {
  readonly id: string;
  readonly pid: number | null;
  /** Kernel start time of the child: somebody else may have its pid by now. */
  readonly childStart: number | null;
  readonly directory: string;
  readonly isTerminal: boolean;
  /** Opened to be typed into: that its shell reads is no question to anybody. */
  readonly isOpened: boolean;
}

/** What a sample finds of a process; how a read is meant only its keeper can tell. */
export interface SampledRow extends Omit<ProcessUsage, "waits"> {
  /** It has stopped writing, and reads from its terminal. */
  readonly reads: boolean;
}

/** Only what differs from the sample before. */
export interface SampleResult {
  readonly machine: MachineUsage;
  readonly rows: readonly SampledRow[];
  /** No longer among those that were asked for; the row of each is the last one. */
  readonly ended: readonly string[];
}

interface Known {
  readonly process: SampledProcess;
  row: SampledRow;
  atMs: number;
  cpuMs: number | undefined;
  keeper: number | undefined;
}

interface Moment {
  readonly atMs: number;
  readonly table: ProcTable | undefined;
}

export class Sampling {
  readonly #machine = new MachineMeter();
  readonly #known = new Map<string, Known>();
  readonly #place: string;

  /** `place`: where the system tells of processes. */
  constructor(place = "/proc") {
    this.#place = place;
  }

  sample(processes: readonly SampledProcess[]): SampleResult {
    const moment = { atMs: performance.now(), table: readProcTable(this.#place) };
    const rows: SampledRow[] = [];
    const wanted = new Set(processes.map(({ id }) => id));
    const ended = [...this.#known.keys()].filter((id) => !wanted.has(id));
    for (const process of processes) {
      const before = this.#known.get(process.id) ?? begin(process, moment.atMs);
      const { row } = before;
      this.#look(before, process, moment);
      const isNew = !this.#known.has(process.id);
      this.#known.set(process.id, before);
      if (isNew || !isSameRow(row, before.row)) rows.push(before.row);
    }
    for (const id of ended) {
      const last = this.#known.get(id);
      this.#known.delete(id);
      if (last !== undefined) rows.push(lastRow(last));
    }
    return { machine: this.#machine.read(), rows, ended };
  }

  #look(known: Known, process: SampledProcess, { atMs, table }: Moment): void {
    const elapsedMs = atMs - known.atMs;
    const tail = outputTail(process.directory);
    const outputBytes = Math.max(tail.end, known.row.outputBytes);
    const grown = outputBytes - known.row.outputBytes;
    const { foreground, ...figures } = this.#figures(known, process, elapsedMs, table);
    known.row = {
      id: process.id,
      ...figures,
      outputBytes,
      outputRate: elapsedMs > 0 ? Math.round((grown * 1_000) / elapsedMs) : 0,
      lastLine: grown > 0 ? lastLineOf(tail) : known.row.lastLine,
      reads: grown === 0 && this.#reads(process, foreground),
    };
    known.atMs = atMs;
  }

  #reads({ isTerminal, isOpened, pid }: SampledProcess, foreground: readonly number[]): boolean {
    if (!isTerminal) return false;
    return foreground.some((one) => !(isOpened && one === pid) && readsTerminal(this.#place, one));
  }

  #figures(
    known: Known,
    { pid, childStart, directory }: SampledProcess,
    elapsedMs: number,
    table: ProcTable | undefined,
  ): Pick<ProcessUsage, "cpu" | "memoryBytes" | "processes"> & Pick<TreeFigures, "foreground"> {
    if (table === undefined || pid === null)
      return { cpu: null, memoryBytes: null, processes: null, foreground: [] };
    const child = table.byPid.get(pid);
    if (child === undefined || (childStart !== null && child.startTicks !== childStart))
      return { cpu: 0, memoryBytes: 0, processes: 0, foreground: [] };
    if (known.keeper !== child.parentPid) known.keeper = keeperOf(directory);
    const { cpuMs, ...figures } = treeFigures(table, pid, known.keeper);
    // Without a sample before it, or with one that ended and took its time with it, there is nothing to compare.
    const used = known.cpuMs === undefined ? 0 : Math.max(0, cpuMs - known.cpuMs);
    known.cpuMs = cpuMs;
    return { cpu: elapsedMs > 0 ? roundShare(used / elapsedMs) : 0, ...figures };
  }
}

function begin(process: SampledProcess, atMs: number): Known {
  const tail = outputTail(process.directory);
  const row = {
    id: process.id,
    cpu: null,
    memoryBytes: null,
    processes: null,
    outputBytes: tail.end,
    outputRate: 0,
    lastLine: lastLineOf(tail),
    reads: false,
  };
  return { process, row, atMs, cpuMs: undefined, keeper: undefined };
}

/** Of a process that has ended: nothing of it runs, and its output has come to its end. */
function lastRow({ process, row }: Known): SampledRow {
  const tail: OutputTail = outputTail(process.directory);
  const hasGrown = tail.end > row.outputBytes;
  return {
    ...row,
    cpu: 0,
    memoryBytes: 0,
    processes: 0,
    outputRate: 0,
    outputBytes: Math.max(tail.end, row.outputBytes),
    lastLine: hasGrown ? lastLineOf(tail) : row.lastLine,
    reads: false,
  };
}

function keeperOf(directory: string): number | undefined {
  try {
    return parseKeeperFile(readFileSync(join(directory, "keeper"), "utf8")).identity?.pid;
  } catch {
    return undefined; // not written yet, or removed
  }
}

function isSameRow(one: SampledRow, other: SampledRow): boolean {
  return (
    one.cpu === other.cpu &&
    one.memoryBytes === other.memoryBytes &&
    one.processes === other.processes &&
    one.outputBytes === other.outputBytes &&
    one.outputRate === other.outputRate &&
    one.lastLine === other.lastLine &&
    one.reads === other.reads
  );
}
