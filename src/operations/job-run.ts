import { chooseDirectory } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { processStart } from "./process-start.ts";

/** A detached process with a follow-up owed and a hard limit: one that hangs still ends, and its end is told. */
export const jobRun: Handler<"job.run"> = async (context, call) => {
  const { processes } = context;
  const { cwd } = await chooseDirectory(processes, call.input);
  const { jobs } = (await processes.configIn(cwd)).config;
  const input = {
    ...call.input,
    kind: "job",
    lifetime: "detached",
    stdin: "empty",
    limits: { wallMs: jobs.limitMs, ...call.input.limits },
  } as const;
  return await processStart(context, { ...call, input });
};
