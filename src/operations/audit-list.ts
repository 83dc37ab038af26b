import type { Handler } from "./context.ts";

/** A session sees what was decided about itself. */
export const auditList: Handler<"audit.list"> = async ({ processes }, { input, caller }) => {
  const { decision, after, limit } = input;
  const session = caller.session ?? input.session;
  const found = await processes.store.audit.list({ session, decision, after, limit });
  return {
    entries: found.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
    cursor: found.at(-1)?.cursor ?? after ?? 0,
  };
};
