import { hasNoRun, outputSource, readOutput } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processOutput: Handler<"process.output"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  if (record.outputRemoved) {
    throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${record.id} was removed by retention.`, {
      details: { firstOffset: record.outputBytes },
    });
  }
  if (await hasNoRun(processes, record)) {
    return {
      id: record.id,
      state: record.state,
      text: "",
      from: 0,
      next: 0,
      end: 0,
      complete: true,
      omitted: [],
    };
  }
  return await readOutput(outputSource(processes, record), input);
};
