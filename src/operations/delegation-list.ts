import { viewDelegation } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

/** Newest first. */
export const delegationList: Handler<"delegation.list"> = async ({ processes }, { input }) => {
  const records = await processes.store.delegations.list(input);
  return { delegations: records.map(viewDelegation) };
};
