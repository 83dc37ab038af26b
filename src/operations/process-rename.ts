import { directoryOf, viewProcess, writeRunName } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processRename: Handler<"process.rename"> = async ({ processes, gate }, { input }) => {
  const { registry } = processes;
  const { id } = await registry.find(input.id);
  return await gate.pass([`rename:${id}`], async () => {
    const record = await registry.find(id);
    const holder =
      input.name === null || record.state === "ended" ? undefined : registry.liveByName(input.name);
    if (holder !== undefined && holder.id !== id) {
      throw new HoldfastError("NAME_IN_USE", `The name "${input.name}" belongs to ${holder.id}.`, {
        details: { id: holder.id },
      });
    }
    const change = async () => viewProcess(await registry.change(id, { name: input.name }));
    if (processes.store.access === "read-only") return await change(); // which says why it is refused
    const directory = directoryOf(processes, id);
    await writeRunName(directory, input.name);
    try {
      return await change();
    } catch (error) {
      await writeRunName(directory, record.name);
      throw error;
    }
  });
};
