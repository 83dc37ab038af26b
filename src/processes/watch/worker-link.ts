// The main thread's end of the thread that reads for watches: started with the first scan, ended some time after the last.
import { Worker } from "node:worker_threads";
import { ofFailure, toFailure } from "../../protocol/thread-failure.ts";
import type { Keep } from "./hit-recorder.ts";
import type { Batch, FoundHits, FromWorker, HitsRequest, ScanRequest, ToWorker } from "./worker-messages.ts";

// A thread takes 50 ms to begin: the next short command of an agent should find it.
const lingerMs = 10_000;
// Patterns that fill more must not take the daemon with them.
const mostMemoryMib = 512;

export interface ScanOwner {
  /** To be stored, then answered with `stored`. */
  readonly onBatch: (batch: Batch) => void;
  /** It reads no more: the run cannot be read, or the thread died. */
  readonly onFailed: (error: Error) => void;
  /** Sees to it that the run has a keeper or an end. */
  readonly recover: () => Promise<"kept" | "ended">;
}

export interface ScanHandle {
  stored(keep: Keep): void;
  finish(): void;
  stop(): void;
}

interface Call {
  readonly resolve: (found: FoundHits) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerLink {
  readonly #scans = new Map<number, ScanOwner>();
  readonly #calls = new Map<number, Call>();
  #worker: Worker | undefined;
  #numbers = 0;
  #lingering: NodeJS.Timeout | undefined;
  #isClosed = false;

  scan(request: ScanRequest, owner: ScanOwner): ScanHandle {
    const scan = ++this.#numbers;
    this.#scans.set(scan, owner);
    this.#send({ kind: "scan", scan, request });
    return {
      stored: (keep) => this.#sendIfOpen(scan, { kind: "stored", scan, keep }),
      finish: () => this.#sendIfOpen(scan, { kind: "finish", scan }),
      stop: () => {
        this.#sendIfOpen(scan, { kind: "stop", scan });
        this.#scans.delete(scan);
        this.#lingerUnlessUsed();
      },
    };
  }

  async findHits(request: HitsRequest): Promise<FoundHits> {
    const call = ++this.#numbers;
    try {
      return await new Promise<FoundHits>((resolve, reject) => {
        this.#calls.set(call, { resolve, reject });
        this.#send({ kind: "find-hits", call, request });
      });
    } finally {
      this.#calls.delete(call);
      this.#lingerUnlessUsed();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#lingering);
    this.#scans.clear();
    await this.#worker?.terminate();
  }

  #send(message: ToWorker): void {
    if (this.#isClosed) return;
    clearTimeout(this.#lingering);
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }

  #sendIfOpen(scan: number, message: ToWorker): void {
    if (this.#scans.has(scan)) this.#send(message);
  }

  #start(): Worker {
    // In a bundle this file is the daemon's, and the thread has one of its own beside it.
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./watch-worker.mjs";
    const worker = new Worker(new URL(file, import.meta.url), {
      name: "watches",
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMib },
    });
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.#lost(worker, error as Error)); // thrown by our own code or by V8
    worker.on("exit", () => this.#lost(worker, new Error("The thread of the watches has ended.")));
    worker.unref();
    return worker;
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case "batch":
        this.#scans.get(message.scan)?.onBatch(message.batch);
        break;
      case "failed":
        this.#scans.get(message.scan)?.onFailed(ofFailure(message.failure));
        break;
      case "recover":
        void this.#recover(message.scan, message.call);
        break;
      case "hits":
        this.#calls.get(message.call)?.resolve(message.found);
        break;
      case "no-hits":
        this.#calls.get(message.call)?.reject(ofFailure(message.failure));
        break;
    }
  }

  async #recover(scan: number, call: number): Promise<void> {
    const owner = this.#scans.get(scan);
    if (owner === undefined) return; // stopped meanwhile
    try {
      const result = await owner.recover();
      this.#sendIfOpen(scan, { kind: "recovered", call, outcome: { result } });
    } catch (error) {
      this.#sendIfOpen(scan, { kind: "recovered", call, outcome: { failure: toFailure(error) } });
    }
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return; // told before
    this.#worker = undefined;
    if (this.#isClosed) return;
    const owners = [...this.#scans.values()];
    this.#scans.clear();
    for (const owner of owners) owner.onFailed(error);
    for (const call of this.#calls.values()) call.reject(error);
  }

  #lingerUnlessUsed(): void {
    if (this.#scans.size > 0 || this.#calls.size > 0 || this.#isClosed) return;
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, lingerMs);
    this.#lingering.unref();
  }
}
