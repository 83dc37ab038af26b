import { currentView } from "../processes/index.ts";
import { terminalKeyOf } from "../terminals/index.ts";
import type { Handler } from "./context.ts";

export const terminalList: Handler<"terminal.list"> = async ({ processes, terminals }, { input }) => {
  const records = input.ended
    ? await processes.store.processes.list({ limit: 10_000 })
    : processes.registry.live();
  const found = records.flatMap((record) => {
    const key = terminalKeyOf(record);
    return key === undefined ? [] : [{ key, record }];
  });
  return {
    terminals: await Promise.all(
      found.map(async ({ key, record }) => ({
        key,
        process: await currentView(processes, record),
        viewers: terminals.views.list(record.id).length,
      })),
    ),
    limit: processes.config().terminal.maxOpen,
  };
};
