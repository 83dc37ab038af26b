// Searches run in threads that are ended when they take too long, or when nobody waits any more.
import { Worker } from "node:worker_threads";
import { HoldfastError } from "../../protocol/errors.ts";
import { compilePattern } from "../watch/check-patterns.ts";
import { ofFailure, type Failure } from "../../protocol/thread-failure.ts";
import type { SearchRequest, SearchResult } from "./search-lines.ts";

// 65 MiB, as much as is kept of one process, take about two seconds.
const mostSearchMs = 20_000;
const mostAtOnce = 2;
const mostMemoryMib = 256;

type FromSearch = { readonly result: SearchResult } | { readonly failure: Failure };

let running = 0;
const waiting: (() => void)[] = [];

/** @throws HoldfastError INVALID_ARGUMENT, WAIT_TIMEOUT, or the signal's reason */
export async function runSearch(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
  compilePattern(request.regex); // a wrong one needs no thread
  await turn();
  try {
    signal.throwIfAborted();
    return await searchInThread(request, signal);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function turn(): Promise<void> {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
}

async function searchInThread(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
  // In a bundle this file is the daemon's, and the thread has one of its own beside it.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./search-worker.mjs";
  const worker = new Worker(new URL(file, import.meta.url), {
    name: "search",
    execArgv: [],
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMib },
  });
  const told = Promise.withResolvers<SearchResult>();
  worker.once("message", (message: FromSearch) => {
    if ("result" in message) told.resolve(message.result);
    else told.reject(ofFailure(message.failure));
  });
  worker.once("error", told.reject);
  worker.once("exit", () => told.reject(new Error("The thread of the search has ended.")));
  const timer = setTimeout(() => told.reject(tooSlow()), mostSearchMs);
  const abort = (): void => told.reject(signal.reason as Error); // an Error, unless a caller made it otherwise
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await told.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

function tooSlow(): HoldfastError {
  return new HoldfastError("WAIT_TIMEOUT", `The search was not done within ${mostSearchMs / 1_000} s.`, {
    hint: "Use a simpler pattern, or begin at a later offset.",
  });
}
