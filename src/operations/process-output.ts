import { outputSource, readOutput } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processOutput: Handler<"process.output"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  if (record.outputRemoved) {
    throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${record.id} was removed by retention.`, {
      details: { firstOffset: record.outputBytes },
    });
  }
  return await readOutput(outputSource(processes, record), input);
};
