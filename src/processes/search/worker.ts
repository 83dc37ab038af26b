// The thread of one search: a pattern that is slow, or a log that is long, never holds up the daemon. Started by run-search.ts.
import { parentPort, workerData } from "node:worker_threads";
import { toFailure } from "../../protocol/thread-failure.ts";
import { searchLines, type SearchRequest } from "./search-lines.ts";

try {
  const result = await searchLines(workerData as SearchRequest); // what run-search.ts gave it
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ result });
} catch (error) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ failure: toFailure(error) });
}
