// The thread that reads the output of watched processes: matching never holds up the daemon. Started by worker-link.ts.
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { ofFailure, toFailure } from "../../protocol/thread-failure.ts";
import { findHits } from "./find-hits.ts";
import { Scan } from "./scan.ts";
import type { FromWorker, HitsRequest, ScanRequest, ToWorker } from "./worker-messages.ts";

// Of this thread alone, on Linux: whoever writes the output comes first.
const niceness = 5;

const scans = new Map<number, Scan>();
const recoveries = new Map<number, PromiseWithResolvers<"kept" | "ended">>();
let calls = 0;

function tell(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

async function recover(scan: number): Promise<"kept" | "ended"> {
  const call = ++calls;
  const recovered = Promise.withResolvers<"kept" | "ended">();
  recoveries.set(call, recovered);
  tell({ kind: "recover", scan, call });
  return await recovered.promise;
}

async function runScan(scan: number, request: ScanRequest): Promise<void> {
  const running = new Scan(request, {
    target: { directory: request.directory, recover: () => recover(scan) },
    send: (batch) => tell({ kind: "batch", scan, batch }),
  });
  scans.set(scan, running);
  try {
    await running.run();
  } catch (error) {
    tell({ kind: "failed", scan, failure: toFailure(error) });
  }
}

async function answerHits(call: number, request: HitsRequest): Promise<void> {
  try {
    tell({ kind: "hits", call, found: await findHits(request) });
  } catch (error) {
    tell({ kind: "no-hits", call, failure: toFailure(error) });
  }
}

function settleRecovery({ call, outcome }: Extract<ToWorker, { kind: "recovered" }>): void {
  const waiting = recoveries.get(call);
  recoveries.delete(call);
  if ("result" in outcome) waiting?.resolve(outcome.result);
  else waiting?.reject(ofFailure(outcome.failure));
}

function receive(message: ToWorker): void {
  switch (message.kind) {
    case "scan":
      void runScan(message.scan, message.request);
      break;
    case "stored":
      scans.get(message.scan)?.stored(message.keep);
      break;
    case "finish":
      scans.get(message.scan)?.finish();
      break;
    case "stop":
      scans.get(message.scan)?.stop();
      scans.delete(message.scan);
      break;
    case "find-hits":
      void answerHits(message.call, message.request);
      break;
    case "recovered":
      settleRecovery(message);
      break;
  }
}

if (process.platform === "linux") setPriority(niceness);
parentPort?.on("message", receive);
