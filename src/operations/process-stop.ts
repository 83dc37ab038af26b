import { stopProcesses } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const processStop: Handler<"process.stop"> = async ({ processes }, { input, caller }) => {
  const requester = {
    verb: "process.stop",
    requestId: caller.requestId,
    ...(caller.session === undefined ? {} : { session: caller.session }),
  };
  const results = await stopProcesses(processes, input, requester);
  const stopped = results.filter(
    (result) => result.outcome === "ended" || result.outcome === "killed",
  ).length;
  return { results, stopped };
};
