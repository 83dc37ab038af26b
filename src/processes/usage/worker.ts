// The thread of the samples: a pass over all processes of the machine never holds up the daemon. Started by usage-sampler.ts.
import { parentPort } from "node:worker_threads";
import { Sampling, type SampledProcess, type SampleResult } from "./sampling.ts";

export interface TimedSample extends SampleResult {
  readonly costMs: number;
}

const sampling = new Sampling();

parentPort?.on("message", (processes: readonly SampledProcess[]) => {
  const before = process.threadCpuUsage();
  const result = sampling.sample(processes);
  // Processor time: on a busy machine the clock would tell how long others worked.
  const { user, system } = process.threadCpuUsage(before);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ ...result, costMs: (user + system) / 1_000 } satisfies TimedSample);
});
