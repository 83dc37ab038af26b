import type { Handler } from "./context.ts";
import { viewGrant } from "./policy-view.ts";

export const policyList: Handler<"policy.list"> = async ({ policy, processes }, { input }) => {
  const found = policy.profile(input.profile);
  const grants = await processes.store.grants.list(Date.now());
  return {
    profile: input.profile,
    from: found?.from ?? null,
    default: found?.default ?? "allow",
    opaque: found?.opaque ?? "allow",
    sudo: found?.sudo ?? "allow",
    rules: (found?.rules ?? []).map(({ name, decision, shown }) => ({ name, decision, command: shown })),
    protect: (found?.protect ?? []).map(({ shown, access, decision }) => ({ path: shown, access, decision })),
    grants: grants.map(viewGrant),
  };
};
