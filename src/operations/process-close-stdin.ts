import { keptProcess, viewProcess } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** After what was written before. A terminal gets its end-of-file character. */
export const processCloseStdin: Handler<"process.close-stdin"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  const kept = keptProcess(processes, record.id);
  try {
    await kept.closeStdin();
    return viewProcess(record);
  } finally {
    kept.close();
  }
};
