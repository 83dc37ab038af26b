import type { Handler } from "./context.ts";
import { lookingSession } from "./looking-session.ts";

export const cursorGet: Handler<"cursor.get"> = async ({ processes }, { input, caller }) => {
  const session = lookingSession(caller, input.session);
  const { id } = await processes.registry.find(input.id);
  const found = await processes.store.cursors.get(session, id);
  const screen = found?.screen ?? null;
  return { id, session, offset: found?.offset ?? 0, screen: screen === null ? null : [...screen] };
};
