// How busy the daemon itself is: processor, memory, and how long something may have to wait for its attention.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { DaemonUsage } from "../../protocol/usage.ts";
import { roundShare } from "./round-share.ts";

// The delay is measured by a timer of this period: a shorter one would itself be load.
const resolutionMs = 20;
const nsPerMs = 1_000_000;

export class DaemonMeter {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs });
  #cpu = process.cpuUsage();
  #atMs = performance.now();

  constructor() {
    this.#delays.enable();
  }

  /** Since the last look. */
  read(): DaemonUsage {
    const used = process.cpuUsage(this.#cpu);
    const elapsedMs = performance.now() - this.#atMs;
    this.#cpu = process.cpuUsage();
    this.#atMs += elapsedMs;
    const delayMs = this.#delays.count > 0 ? this.#delays.max / nsPerMs - resolutionMs : 0;
    this.#delays.reset();
    return {
      cpu: roundShare((used.user + used.system) / 1_000 / elapsedMs),
      memoryBytes: process.memoryUsage.rss(),
      eventLoopDelayMs: Math.max(0, Math.round(delayMs * 10) / 10),
    };
  }

  close(): void {
    this.#delays.disable();
  }
}
