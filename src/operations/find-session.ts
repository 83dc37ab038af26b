// A session that is meant must be there: a mistyped key must not look like one that has ended well.
import { HoldfastError } from "../protocol/errors.ts";
import type { OperationContext } from "./context.ts";
import { openSessions } from "./describe-session.ts";

/** @throws HoldfastError SESSION_NOT_FOUND */
export async function findSession(context: OperationContext, session: string): Promise<void> {
  if ((await openSessions(context)).includes(session)) return;
  throw new HoldfastError("SESSION_NOT_FOUND", `There is no session "${session}".`, { details: { session } });
}
