import type { Handler } from "./context.ts";
import { Scope } from "./rights/scope.ts";

/** A session is told of those that look at what it may see. */
export const viewList: Handler<"view.list"> = async ({ processes, terminals }, { input, caller }) => {
  const id = input.id === undefined ? undefined : (await processes.registry.find(input.id)).id;
  const views = terminals.views.list(id);
  const scope = Scope.of(processes, caller);
  return { views: scope === undefined ? views : await scope.seenOf(views, ({ process }) => process) };
};
