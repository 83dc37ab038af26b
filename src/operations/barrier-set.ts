import { setBarrier } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

/** One per session: a new one takes the place of the old. */
export const barrierSet: Handler<"barrier.set"> = async ({ notifications }, { input }) =>
  await setBarrier(notifications, input.session, input.for);
