import { hasRole } from "../protocol/access.ts";
import { roleRequired } from "./authorise.ts";
import type { Handler } from "./context.ts";

/** By the network, what may hold a secret is for admins. @throws HoldfastError ROLE_REQUIRED */
export const configGet: Handler<"config.get"> = async ({ config }, { input, caller }) => {
  const isForAdmins = config.isConfidential(input.key);
  if (isForAdmins && caller.who !== undefined && !hasRole(caller.who.role, "admin"))
    throw roleRequired(caller, "admin", input.key);
  return (await config.viewOf(input.directory)).get(input.key);
};
