import { listLocks } from "../locks/index.ts";
import type { Handler } from "./context.ts";

export const lockList: Handler<"lock.list"> = async (_context, { input }) => await listLocks(input);
