// How busy the machine is, from what Node tells on every system.
import { cpus, freemem, loadavg, totalmem } from "node:os";
import type { MachineUsage } from "../../protocol/usage.ts";
import { roundShare } from "./round-share.ts";

interface Times {
  readonly busyMs: number;
  readonly totalMs: number;
}

export class MachineMeter {
  #before: Times | undefined;

  /** The first look has nothing to compare with: it tells what was so since the machine started. */
  read(): MachineUsage {
    const processors = cpus();
    const now = sum(processors);
    const before = this.#before ?? { busyMs: 0, totalMs: 0 };
    this.#before = now;
    const totalMs = now.totalMs - before.totalMs;
    return {
      cpu: totalMs > 0 ? roundShare((now.busyMs - before.busyMs) / totalMs) : 0,
      processors: processors.length,
      memoryBytes: totalmem(),
      memoryUsedBytes: totalmem() - freemem(),
      load: loadavg().map((load) => Math.round(load * 100) / 100),
    };
  }
}

function sum(processors: ReturnType<typeof cpus>): Times {
  let idleMs = 0;
  let totalMs = 0;
  for (const { times } of processors) {
    idleMs += times.idle;
    totalMs += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { busyMs: totalMs - idleMs, totalMs };
}
