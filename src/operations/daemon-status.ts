import type { Handler } from "./context.ts";

export const daemonStatus: Handler<"daemon.status"> = async ({ daemon }) => await daemon.status();
