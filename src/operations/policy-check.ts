import { homedir } from "node:os";
import type { Handler } from "./context.ts";

export const policyCheck: Handler<"policy.check"> = async ({ policy }, { input, caller }) => {
  const { command, cwd = homedir(), profile } = input;
  const session = caller.session ?? input.session ?? null;
  const judged = await policy.judge({ command, cwd, session, profile });
  return {
    decision: judged.decision,
    profile: judged.profile?.from ?? profile,
    configured: judged.profile !== undefined,
    commands: judged.seen.commands.slice(0, 1_000).map(({ argv }) => argv.map(({ text }) => text)),
    reasons: [...judged.reasons],
    lifted: judged.grants.length === 0 ? null : judged.grants.map(({ id }) => id).join(", "),
  };
};
