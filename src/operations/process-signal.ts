import { keptProcess, signalName, signalNumber } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const processSignal: Handler<"process.signal"> = async ({ processes }, { input }) => {
  const number = signalNumber(input.signal);
  if (number === undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `There is no signal "${input.signal}".`, {
      hint: "Use a name like SIGINT or INT, or a number from 1 to 64.",
    });
  }
  const record = await processes.registry.find(input.id);
  const kept = keptProcess(processes, record.id);
  try {
    return { id: record.id, signal: signalName(number), reached: await kept.signal(number, input.target) };
  } finally {
    kept.close();
  }
};
