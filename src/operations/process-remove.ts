import { removeProcess, stopProcess } from "../processes/index.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { Handler, OperationContext } from "./context.ts";

async function removeOne(
  { processes }: OperationContext,
  reference: string,
  force: boolean,
): Promise<string> {
  const record = await processes.registry.find(reference);
  if (record.state !== "ended") {
    if (!force)
      throw new HoldfastError("PROCESS_RUNNING", `${record.id} still runs.`, { details: { id: record.id } });
    await stopProcess(processes, record, {});
  }
  await removeProcess(processes, record.id);
  return record.id;
}

/** One failure does not stop the rest. */
export const processRemove: Handler<"process.remove"> = async (context, { input }) => {
  const results = await Promise.all(
    input.ids.map(async (reference) => {
      try {
        return { id: await removeOne(context, reference, input.force), removed: true };
      } catch (error) {
        const known = isHoldfastError(error)
          ? error
          : new HoldfastError("INTERNAL", String(error), { cause: error });
        const { code, message, hint, details } = known;
        return { id: reference, removed: false, error: { code, message, hint, details } };
      }
    }),
  );
  return { results };
};
