import { currentView } from "../processes/index.ts";
import { terminalKeyOf } from "../protocol/terminal-key.ts";
import type { ProcessRecord } from "../store/index.ts";
import type { Handler } from "./context.ts";
import { Scope } from "./rights/scope.ts";

export const terminalList: Handler<"terminal.list"> = async ({ processes, terminals }, { input, caller }) => {
  const scope = Scope.of(processes, caller);
  const records = input.ended
    ? await processes.store.processes.list({ limit: 10_000 })
    : processes.registry.live();
  const found: { readonly key: string; readonly record: ProcessRecord }[] = [];
  for (const record of records) {
    const key = terminalKeyOf(record);
    if (key !== undefined && (scope === undefined || (await scope.sees(record)))) found.push({ key, record });
  }
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
