// The thread that reads one tangled command. Started by read-safely.ts.
import { parentPort, workerData } from "node:worker_threads";
import { readCommand } from "./read-command.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(readCommand(workerData as string | readonly string[])); // what read-safely.ts gave it
