import { releaseAllLocks, releaseLock } from "../locks/index.ts";
import type { Handler } from "./context.ts";
import { lockOwner } from "./lock-owner.ts";

export const lockRelease: Handler<"lock.release"> = async (context, { input, caller }) => {
  const { scope = "", identity = "", pid } = input; // both are there, unless all are meant
  if (input.all && pid !== undefined) return { released: await releaseAllLocks({ owner: pid }) };
  const owner = await lockOwner(context, caller, pid);
  const released = input.all
    ? await releaseAllLocks({ owner })
    : [await releaseLock({ scope, identity, owner })];
  return { released };
};
