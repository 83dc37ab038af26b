import { describeTree } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** Command lines are redacted as in lists. */
export const processTree: Handler<"process.tree"> = async ({ processes, redactor }, { input }) => {
  const record = await processes.registry.find(input.id);
  const at = new Date().toISOString();
  const tree = await describeTree(processes, record);
  return {
    id: record.id,
    at,
    processes: tree.map((process) => ({ ...process, command: redactor.line(process.command) })),
  };
};
