import type { Handler } from "./context.ts";

/** Processes go on; the next daemon finds them. */
export const daemonStop: Handler<"daemon.stop"> = ({ daemon }, { input, caller }) => {
  daemon.requestStop({ ...input, requestId: caller.requestId });
  return Promise.resolve({ stopping: true, pid: process.pid });
};
