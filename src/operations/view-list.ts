import type { Handler } from "./context.ts";
import { Scope } from "./rights/scope.ts";

/** A session is told of those that look at what it may see. */
export const viewList: Handler<"view.list"> = async ({ processes, terminals }, { input, caller }) => {
  const id = input.id === undefined ? undefined : (await processes.registry.find(input.id)).id;
  const views = terminals.views.list(id);
  const scope = Scope.of(processes, caller);
  if (scope === undefined) return { views };
  const records = await Promise.all(views.map(({ process }) => processes.registry.get(process)));
  const seen = await Promise.all(
    records.map(async (record) => record !== undefined && (await scope.sees(record))),
  );
  return { views: views.filter((_, index) => seen[index]) };
};
