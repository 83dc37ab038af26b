import type { Handler } from "./context.ts";

/** Processes go on; the next daemon finds them. */
export const daemonStop: Handler<"daemon.stop"> = ({ daemon }) => {
  daemon.requestStop();
  return Promise.resolve({ stopping: true, pid: process.pid });
};
