import { userInfo } from "node:os";
import { describeWho } from "../access/index.ts";
import type { Handler } from "./context.ts";
import { viewToken } from "./token-view.ts";

/** Anybody who may list them: it only shuts a door. @throws HoldfastError TOKEN_NOT_FOUND */
export const tokenRevoke: Handler<"token.revoke"> = async ({ access }, { input, caller }) => {
  const record = await access.credentials.revokeToken(input.token);
  const by = caller.who === undefined ? userInfo().username : describeWho(caller.who);
  const about = `${record.id} ${record.name}`;
  const { requestId } = caller;
  await access.record.add({ what: "token-revoked", decision: "allow", by, about, requestId });
  return viewToken(record);
};
