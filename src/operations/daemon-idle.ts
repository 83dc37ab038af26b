import type { Handler } from "./context.ts";

/** Answered from memory: may be asked as often as one likes. */
export const daemonIdle: Handler<"daemon.idle"> = ({ busy }) => {
  const sources = busy.counts();
  return Promise.resolve({ idle: sources.every(({ count }) => count === 0), sources });
};
