import { getBarrier } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const barrierGet: Handler<"barrier.get"> = async ({ notifications }, { input }) =>
  await getBarrier(notifications, input.session);
