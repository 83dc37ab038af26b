import type { Handler } from "./context.ts";
import { requirePerson } from "./require-person.ts";
import { viewToken } from "./token-view.ts";

/** @throws HoldfastError PERSON_REQUIRED, NAME_IN_USE, DASHBOARD_UNAVAILABLE, CONFIG_INVALID */
export const tokenCreate: Handler<"token.create"> = async (context, { input, caller }) => {
  const by = await requirePerson(context, caller);
  const { name, role, forMs } = input;
  const { access, dashboard } = context;
  // First: a token that counts nowhere would be no use, and nobody could be shown it again.
  const address = await dashboard.open();
  const { record, secret } = await access.credentials.createToken({ name, role, forMs, by });
  const about = `${record.id} ${name} as ${role}`;
  const { requestId } = caller;
  await access.record.add({ what: "token-created", decision: "allow", by, about, requestId });
  return { ...viewToken(record), token: secret, address };
};
