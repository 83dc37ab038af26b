import { keptProcess } from "../processes/index.ts";
import { sizeInForce } from "../protocol/terminal-size.ts";
import type { Handler } from "./context.ts";

export const processResize: Handler<"process.resize"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  const kept = keptProcess(processes, record.id);
  try {
    const { columns, rows } = sizeInForce(input, await kept.state());
    await kept.resize(columns, rows);
    return { id: record.id, columns, rows };
  } finally {
    kept.close();
  }
};
