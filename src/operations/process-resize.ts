import { keptProcess } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const processResize: Handler<"process.resize"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  const kept = keptProcess(processes, record.id);
  try {
    await kept.resize(input.columns, input.rows);
    return { id: record.id, columns: input.columns, rows: input.rows };
  } finally {
    kept.close();
  }
};
