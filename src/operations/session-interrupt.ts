import type { Handler } from "./context.ts";

export const sessionInterrupt: Handler<"session.interrupt"> = ({ interrupts }, { input }) =>
  Promise.resolve({ interrupted: interrupts.interrupt(input.session) });
