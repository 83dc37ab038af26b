import type { Handler } from "./context.ts";

export const configList: Handler<"config.list"> = ({ config }) => Promise.resolve({ values: config.list() });
