import type { Handler } from "./context.ts";
import { requirePerson } from "./require-person.ts";

/** @throws HoldfastError PERSON_REQUIRED, DASHBOARD_UNAVAILABLE, CONFIG_INVALID */
export const dashboardOpen: Handler<"dashboard.open"> = async (context, { caller }) => {
  const by = await requirePerson(context, caller);
  const address = await context.dashboard.open();
  const { secret, expiresAt } = context.access.issueLink(by);
  // Behind a #, so that no server and no log ever sees it.
  return { address, link: `${address}/enter#${secret}`, expiresAt: new Date(expiresAt).toISOString() };
};
