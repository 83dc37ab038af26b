// Why a command does not run, and what to do about it.
import { HoldfastError } from "../protocol/errors.ts";
import type { PolicyReason } from "../protocol/policy.ts";
import type { ApprovalRecord } from "../store/index.ts";

export function denied(profile: string, reasons: readonly PolicyReason[]): HoldfastError {
  const decisive = reasons.filter(({ decision }) => decision === "deny");
  return new HoldfastError(
    "POLICY_DENIED",
    `The policy of profile "${profile}" denies this command: ${inWords(decisive)}. Nothing was started.`,
    { details: { profile, reasons: decisive } },
  );
}

export function refusedBy(approval: ApprovalRecord, refusals: number): HoldfastError {
  const note = approval.note === null ? "" : ` They say: ${approval.note}`;
  // Somebody who has said no so often means it.
  const isFirm = refusals >= 3;
  return new HoldfastError(
    "APPROVAL_REFUSED",
    `A person (${approval.answeredBy}) refused this command (${inWords(approval.reasons)}).${note} Nothing was started.`,
    {
      details: { approval: approval.id, note: approval.note, refusals },
      ...(isFirm
        ? {
            hint: `${refusals} requests of this session were refused in a row: stop asking, and tell the person what you need and why.`,
          }
        : {}),
    },
  );
}

export function expired({ id, reasons }: ApprovalRecord): HoldfastError {
  return new HoldfastError(
    "APPROVAL_EXPIRED",
    `Nobody answered approval ${id} in time (${inWords(reasons)}), so the command is refused. Nothing was started.`,
    { details: { approval: id } },
  );
}

export function stillPending({ id, reasons, expiresAt }: ApprovalRecord): HoldfastError {
  const until = new Date(expiresAt).toISOString();
  return new HoldfastError(
    "APPROVAL_PENDING",
    `A person must allow this command first (${inWords(reasons)}): approval ${id}, until ${until}. Nothing was started.`,
    {
      details: { approval: id, expiresAt: until },
      hint: howToAnswer(id),
    },
  );
}

export function stopping(): HoldfastError {
  return new HoldfastError(
    "DAEMON_STOPPING",
    "The daemon is about to end; nothing was started. The approval stays open.",
  );
}

export function howToAnswer(id: string): string {
  return `A person answers with \`holdfast approvals answer ${id} once\` (or session, always, deny) in a terminal of their own; you cannot. Then ask for the same command again.`;
}

export function inWords(reasons: readonly PolicyReason[]): string {
  const shown = reasons.slice(0, 3).map(({ rule, command, text }) => `${rule}: ${text} [${command}]`);
  const more = reasons.length > 3 ? [`${reasons.length - 3} more`] : [];
  return [...shown, ...more].join("; ");
}
