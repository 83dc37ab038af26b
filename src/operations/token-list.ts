import type { Handler } from "./context.ts";
import { viewToken } from "./token-view.ts";

export const tokenList: Handler<"token.list"> = async ({ access }) => {
  const tokens = await access.credentials.tokens();
  return { tokens: tokens.map(viewToken) };
};
