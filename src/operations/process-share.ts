import { userInfo } from "node:os";
import { viewShare } from "../processes/index.ts";
import { redactText } from "../redaction/index.ts";
import type { AuditRecord } from "../store/index.ts";
import type { Handler } from "./context.ts";

/** Its own session may, and whoever speaks for none. */
export const processShare: Handler<"process.share"> = async ({ processes }, { input, caller }) => {
  const { id, task, profile, command, cwd, session: owner } = await processes.registry.find(input.id);
  const { shares } = processes.store;
  const { session = null, right } = input;
  const at = Date.now();
  const by = caller.session === undefined ? userInfo().username : `session ${caller.session}`;
  const audit: AuditRecord = {
    at,
    what: "shared",
    decision: right === "none" ? "deny" : "allow",
    session: owner,
    task,
    profile,
    command: redactText(command).text,
    cwd,
    rules: [`${right} of ${id} to ${session ?? "every session"}`],
    approval: null,
    by,
    requestId: caller.requestId,
  };
  if (right === "none") await shares.remove(id, session, audit);
  else await shares.set({ processId: id, session, right, by, at }, audit);
  return { id, shares: (await shares.ofProcess(id)).map(viewShare) };
};
