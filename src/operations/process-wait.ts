import { waitFor } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** Leaves the processes alone, whatever ends the wait. */
export const processWait: Handler<"process.wait"> = async (
  { processes, interrupts },
  { input, caller, signal },
) => {
  const wait = interrupts.begin(caller.session);
  try {
    return await waitFor(processes, input, { signal, interrupted: wait.signal });
  } finally {
    wait.done();
  }
};
