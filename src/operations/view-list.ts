import type { Handler } from "./context.ts";

export const viewList: Handler<"view.list"> = async ({ processes, terminals }, { input }) => {
  const id = input.id === undefined ? undefined : (await processes.registry.find(input.id)).id;
  return { views: terminals.views.list(id) };
};
