import type { Handler } from "./context.ts";

export const configCheck: Handler<"config.check"> = ({ config }) => Promise.resolve(config.check());
