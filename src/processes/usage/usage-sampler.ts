// Live figures of all processes, for whoever listens. While nobody does there is no thread, no timer and no cost.
import { Worker } from "node:worker_threads";
import { terminalKeyOf } from "../../protocol/terminal-key.ts";
import type { DaemonUsage, MachineUsage, ProcessUsage } from "../../protocol/usage.ts";
import { directoryOf, type ProcessContext } from "../context.ts";
import { DaemonMeter } from "./daemon-meter.ts";
import { InputWaits } from "./input-waits.ts";
import type { SampledProcess, SampledRow } from "./sampling.ts";
import type { TimedSample } from "./worker.ts";

export interface UsageSample {
  readonly at: string;
  readonly machine: MachineUsage;
  readonly daemon: DaemonUsage;
  /** Those that changed. */
  readonly rows: readonly ProcessUsage[];
  readonly ended: readonly string[];
}

type FoundSample = Omit<UsageSample, "rows"> & { readonly rows: readonly SampledRow[] };

export type UsageListener = (sample: UsageSample) => void;

const everyMs = 2_000;
// The first sample has nothing to compare with: whoever begins to look should not wait for its second.
const secondAfterMs = 500;
// A machine with very many processes: at most a twentieth of one processor goes into looking.
const costFactor = 20;
const lastLineCharacters = 200;

export class UsageSampler {
  readonly #context: ProcessContext;
  readonly #redact: (line: string) => string;
  readonly #listeners = new Set<UsageListener>();
  readonly #rows = new Map<string, ProcessUsage>();
  readonly #waits: InputWaits;
  #run: SampleRun | undefined;
  #last: UsageSample | undefined;

  /** `redact`: a last line is shown as in lists. */
  constructor(context: ProcessContext, redact: (line: string) => string) {
    this.#context = context;
    this.#redact = redact;
    this.#waits = new InputWaits(context, (id, waits) => this.#tellWait(id, waits));
  }

  /** All rows as they were last told; undefined when nobody listens yet. */
  snapshot(): UsageSample | undefined {
    return this.#last === undefined
      ? undefined
      : { ...this.#last, rows: [...this.#rows.values()], ended: [] };
  }

  /** Returns how to stop. */
  listen(listener: UsageListener): () => void {
    this.#listeners.add(listener);
    this.#run ??= new SampleRun(this.#context, (sample) => this.#tell(sample));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#run?.close();
      this.#run = undefined;
      this.#last = undefined;
      this.#rows.clear();
      this.#waits.clear();
    };
  }

  #tell(sample: FoundSample): void {
    const rows = sample.rows.map((row) => this.#complete(row));
    for (const row of rows) this.#rows.set(row.id, row);
    for (const id of sample.ended) this.#rows.delete(id);
    this.#last = { ...sample, rows };
    for (const listener of this.#listeners) listener(this.#last);
  }

  #tellWait(id: string, waits: ProcessUsage["waits"]): void {
    const row = this.#rows.get(id);
    if (row === undefined || this.#last === undefined) return;
    this.#rows.set(id, { ...row, waits });
    const sample = { ...this.#last, rows: [{ ...row, waits }], ended: [] };
    for (const listener of this.#listeners) listener(sample);
  }

  /** Redacted before it is cut: half of a secret is not recognised as one. */
  #complete(found: SampledRow): ProcessUsage {
    const { reads: _, ...row } = found;
    const lastLine = this.#redact(row.lastLine).slice(0, lastLineCharacters);
    return { ...row, lastLine, waits: this.#waits.look(found) };
  }
}

/** One time in which somebody listens. */
class SampleRun {
  readonly #context: ProcessContext;
  readonly #tell: (sample: FoundSample) => void;
  readonly #daemon = new DaemonMeter();
  #worker: Worker;
  #timer: NodeJS.Timeout | undefined;
  #delayMs = secondAfterMs;
  #isClosed = false;

  constructor(context: ProcessContext, tell: (sample: FoundSample) => void) {
    this.#context = context;
    this.#tell = tell;
    this.#worker = this.#start();
    this.#ask();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#daemon.close();
    void this.#worker.terminate();
  }

  #start(): Worker {
    // In a bundle this file is the daemon's, and the thread has one of its own beside it.
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./usage-worker.mjs";
    const worker = new Worker(new URL(file, import.meta.url), { name: "usage", execArgv: [] });
    worker.unref();
    worker.on("message", (result: TimedSample) => this.#take(result));
    worker.on("error", (error) => this.#context.report("The thread of the live figures ended.", error));
    worker.on("exit", () => this.#again());
    return worker;
  }

  /** A thread that died is replaced with the next sample. */
  #again(): void {
    if (this.#isClosed) return;
    this.#later(everyMs, () => {
      this.#worker = this.#start();
      this.#ask();
    });
  }

  #ask(): void {
    const processes = this.#context.registry
      .live()
      .map(({ id, pid, childStart, mode, labels }): SampledProcess => ({
        id,
        pid,
        childStart,
        directory: directoryOf(this.#context, id),
        isTerminal: mode === "pty",
        isOpened: terminalKeyOf({ labels }) !== undefined,
      }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(processes);
  }

  #take({ machine, rows, ended, costMs }: TimedSample): void {
    if (this.#isClosed) return;
    this.#tell({ at: new Date().toISOString(), machine, daemon: this.#daemon.read(), rows, ended });
    this.#later(Math.max(this.#delayMs, costMs * costFactor), () => this.#ask());
    this.#delayMs = everyMs;
  }

  #later(ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, ms);
    this.#timer.unref();
  }
}
