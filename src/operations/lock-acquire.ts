import { acquireLock } from "../locks/index.ts";
import type { Handler } from "./context.ts";
import { lockOwner } from "./lock-owner.ts";

export const lockAcquire: Handler<"lock.acquire"> = async (context, { input, caller, signal }) => {
  const { scope, identity, meta, waitMs, pid } = input;
  const owner = await lockOwner(context, caller, pid);
  return await acquireLock({ scope, identity, owner, meta, waitMs, signal });
};
