import { clearBarrier } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const barrierClear: Handler<"barrier.clear"> = async ({ notifications }, { input }) => ({
  cleared: await clearBarrier(notifications, input.session),
});
