import type { Handler } from "./context.ts";
import { cursorGet } from "./cursor-get.ts";
import { lookingSession } from "./looking-session.ts";

/** What is not given stays as it was. */
export const cursorSet: Handler<"cursor.set"> = async (context, call) => {
  const { processes } = context;
  const { offset, screen } = call.input;
  const session = lookingSession(call.caller, call.input.session);
  const { id } = await processes.registry.find(call.input.id);
  const changes = {
    ...(offset === undefined ? {} : { offset }),
    ...(screen === undefined ? {} : { screen }),
  };
  await processes.store.cursors.set(session, id, changes, Date.now());
  return await cursorGet(context, { ...call, input: { id, session } });
};
