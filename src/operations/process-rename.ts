import { viewProcess } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processRename: Handler<"process.rename"> = async ({ processes }, { input }) => {
  const { registry } = processes;
  const record = await registry.find(input.id);
  const holder =
    input.name === null || record.state === "ended" ? undefined : registry.liveByName(input.name);
  if (holder !== undefined && holder.id !== record.id) {
    throw new HoldfastError("NAME_IN_USE", `The name "${input.name}" belongs to ${holder.id}.`, {
      details: { id: holder.id },
    });
  }
  return viewProcess(await registry.change(record.id, { name: input.name }));
};
