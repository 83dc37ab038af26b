import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

/** Also of an ended process; the process is left alone. */
export const viewClose: Handler<"view.close"> = async ({ processes, terminals }, { input }) => {
  const { id } = await processes.registry.find(input.id);
  if (terminals.views.list().length === 0)
    throw new HoldfastError("NO_VIEWER", "No dashboard shows a terminal now.");
  return { id, closed: terminals.views.closeAll(id) };
};
