import { chooseDirectory } from "../processes/index.ts";
import type { StartInput } from "../protocol/process.ts";
import type { Caller } from "../protocol/operations.ts";
import type { OperationContext } from "./context.ts";

/**
 * Resolves when the policy, or a person, lets this start happen. Whoever starts something for a caller asks here first, before
 * anything is stopped or made.
 * @throws HoldfastError POLICY_DENIED, APPROVAL_REFUSED, APPROVAL_EXPIRED, APPROVAL_PENDING
 */
export async function admitStart(
  context: OperationContext,
  call: { readonly caller: Caller; readonly signal: AbortSignal },
  input: StartInput,
): Promise<void> {
  const { policy, processes } = context;
  const { profile, session, task } = input.owner;
  if (policy.profile(profile) === undefined || call.caller.isConfiguration === true) return;
  const { idempotencyKey } = input;
  // It runs already, and was let through then: to ask again about a repeated request would answer nothing.
  const same =
    idempotencyKey === undefined
      ? undefined
      : await processes.store.processes.byIdempotencyKey(idempotencyKey);
  if (same !== undefined && same.exit?.exit.kind !== "spawn_failed") return;
  const { signal } = call;
  const { cwd } = await chooseDirectory(processes, input);
  await policy.admit(
    {
      command: input.command,
      cwd,
      // The caller's own: naming another session gives nobody its grants.
      session: call.caller.session ?? session ?? null,
      task: task ?? null,
      profile,
      requestId: call.caller.requestId,
    },
    { signal, waitMs: input.approvalWaitMs },
  );
  signal.throwIfAborted();
}
