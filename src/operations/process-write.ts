import { writeInput } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const processWrite: Handler<"process.write"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  return { id: record.id, ...(await writeInput(processes, record, input)) };
};
