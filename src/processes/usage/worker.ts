// The thread of the samples: a pass over all processes of the machine never holds up the daemon. Started by usage-sampler.ts.
import { parentPort } from "node:worker_threads";
import { Sampling, type SampledProcess } from "./sampling.ts";

const sampling = new Sampling();

parentPort?.on("message", (processes: readonly SampledProcess[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(sampling.sample(processes));
});
