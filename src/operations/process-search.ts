import { directoryOf, hasNoRun, runSearch } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processSearch: Handler<"process.search"> = async ({ processes }, { input, signal }) => {
  const { id: reference, ...request } = input;
  const record = await processes.registry.find(reference);
  const { id } = record;
  if (record.outputRemoved) {
    throw new HoldfastError("OUTPUT_TRIMMED", `The output of ${id} was removed by retention.`, {
      details: { firstOffset: record.outputBytes },
    });
  }
  if (await hasNoRun(processes, record)) return { id, matches: [], next: null, omitted: [] };
  return { id, ...(await runSearch({ ...request, directory: directoryOf(processes, id) }, signal)) };
};
