import { hasNoRun, outputSource, readOutput, viewProcess } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";
import { tellEnds } from "./end-told.ts";
import { redactOutput } from "./redact-output.ts";

export const processOutput: Handler<"process.output"> = async (context, call) => {
  const { processes } = context;
  const { input } = call;
  const record = await processes.registry.find(input.id);
  if (record.outputRemoved) {
    throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${record.id} was removed by retention.`, {
      hint: "Nothing of it is left to read; retention.ageMs, .maxEnded and .maxDiskBytes say how long output is kept.",
      details: { firstOffset: record.outputBytes },
    });
  }
  if (await hasNoRun(processes, record)) {
    tellEnds(context, call, "process.output", [viewProcess(record)]);
    return {
      id: record.id,
      state: record.state,
      text: "",
      from: 0,
      next: 0,
      end: 0,
      complete: true,
      kept: [],
      omitted: [],
    };
  }
  const source = await outputSource(processes, record);
  const output = await readOutput(source, input);
  // Who has read the last byte after the end knows that it ended.
  if (output.complete && input.stream === "both")
    tellEnds(context, call, "process.output", [viewProcess(record)]);
  // What a session reads goes to a model; a person may ask for the same.
  const isClean = call.caller.session !== undefined || input.redact;
  return isClean ? await redactOutput(context.redactor, source, input, output) : output;
};
