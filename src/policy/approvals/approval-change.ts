// How an approval comes to be and what becomes of it: the one place where its state changes.
import type { ApprovalAnswer, PolicyReason } from "../../protocol/policy.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { newApprovalId, newGrantId } from "../../protocol/ids.ts";
import type {
  ApprovalChange,
  ApprovalRecord,
  AuditRecord,
  GrantRecord,
  NewNotice,
} from "../../store/index.ts";
import type { StartRequest } from "../requests.ts";

export interface Question {
  readonly request: StartRequest;
  readonly digest: string;
  /** Redacted. */
  readonly command: string;
  readonly reasons: readonly PolicyReason[];
  readonly lastsMs: number;
}

/** Joins the one that is open, uses an answer nobody has used yet, or opens a new one. */
export function openOrJoin(
  question: Question,
  before: ApprovalRecord | undefined,
  nowMs: number,
): ApprovalChange {
  if (before?.state === "pending") return { record: before };
  if (before !== undefined && isUnused(before, question.lastsMs, nowMs)) {
    const { requestId } = question.request;
    const audit = auditOf(
      before,
      { what: "decided", decision: "allow", by: `${before.answeredBy}`, requestId },
      nowMs,
    );
    return { record: { ...before, usedAt: nowMs }, audit };
  }
  const record = newApproval(question, nowMs);
  const { requestId } = question.request;
  return {
    record,
    notices: [wantedNotice(record)],
    audit: auditOf(record, { what: "asked", decision: "ask", by: "policy", requestId }, nowMs),
  };
}

function newApproval(
  { request, digest, command, reasons, lastsMs }: Question,
  nowMs: number,
): ApprovalRecord {
  return {
    id: newApprovalId(),
    state: "pending",
    digest,
    session: request.session,
    task: request.task,
    profile: request.profile,
    command,
    cwd: request.cwd,
    reasons,
    createdAt: nowMs,
    expiresAt: nowMs + lastsMs,
    answeredAt: null,
    answer: null,
    answeredBy: null,
    note: null,
    usedAt: null,
  };
}

/** Said when its caller had gone: the same command may use it, once, for as long as it was open. */
function isUnused(
  { state, answer, usedAt, answeredAt }: ApprovalRecord,
  lastsMs: number,
  nowMs: number,
): boolean {
  return state === "approved" && answer === "once" && usedAt === null && nowMs < (answeredAt ?? 0) + lastsMs;
}

export interface Answer {
  readonly answer: ApprovalAnswer;
  readonly by: string;
  readonly note: string | null;
  readonly requestId: string;
  /** Of a rule as it is now; undefined when it is gone. */
  readonly digestOfRule: (rule: string) => string | undefined;
  /** Nobody waits for it: whoever asked is told. */
  readonly isMissed: boolean;
}

/** @throws HoldfastError APPROVAL_OVER, INVALID_ARGUMENT */
export function answered(before: ApprovalRecord, answer: Answer, nowMs: number): ApprovalChange {
  if (before.state !== "pending" || before.expiresAt <= nowMs) {
    const state = before.state === "pending" ? "expired" : before.state;
    throw new HoldfastError("APPROVAL_OVER", `Approval ${before.id} is ${state} already.`, {
      details: { state, answeredBy: before.answeredBy },
    });
  }
  if (answer.answer === "session" && before.session === null)
    throw new HoldfastError("INVALID_ARGUMENT", `Approval ${before.id} belongs to no session.`, {
      hint: "Answer once, always or deny.",
    });
  const isAllowed = answer.answer !== "deny";
  const record: ApprovalRecord = {
    ...before,
    state: isAllowed ? "approved" : "refused",
    answeredAt: nowMs,
    answer: answer.answer,
    answeredBy: answer.by,
    note: answer.note,
  };
  const { by, requestId } = answer;
  return {
    record,
    grants: grantsOf(record, answer, nowMs),
    notices: [answeredNotice(record, answer.isMissed)],
    audit: auditOf(
      record,
      { what: "answered", decision: isAllowed ? "allow" : "deny", by, requestId },
      nowMs,
    ),
  };
}

function grantsOf(
  record: ApprovalRecord,
  { answer, by, digestOfRule }: Answer,
  nowMs: number,
): GrantRecord[] {
  if (answer !== "session" && answer !== "always") return [];
  const rules = new Set(record.reasons.map(({ rule }) => rule));
  return [...rules].flatMap((rule) => {
    const digest = digestOfRule(rule);
    if (digest === undefined) return [];
    const session = answer === "session" ? record.session : null;
    const { profile } = record;
    return [{ id: newGrantId(), session, profile, rule, digest, by, createdAt: nowMs, expiresAt: null }];
  });
}

export function expiredAt(before: ApprovalRecord, nowMs: number): ApprovalChange {
  const facts = { what: "expired", decision: "deny", by: "time", requestId: "" } as const;
  return { record: { ...before, state: "expired" }, audit: auditOf(before, facts, nowMs) };
}

export function used(before: ApprovalRecord, requestId: string, nowMs: number): ApprovalChange {
  const facts = { what: "decided", decision: "allow", by: `${before.answeredBy}`, requestId } as const;
  return { record: { ...before, usedAt: before.usedAt ?? nowMs }, audit: auditOf(before, facts, nowMs) };
}

function auditOf(
  { id, session, task, profile, command, cwd, reasons }: ApprovalRecord,
  facts: Pick<AuditRecord, "what" | "decision" | "by" | "requestId">,
  at: number,
): AuditRecord {
  const rules = [...new Set(reasons.map(({ rule }) => rule))];
  return { at, ...facts, session, task, profile, command, cwd, rules, approval: id };
}

export function wantedKey(id: string): string {
  return `approval.wanted:${id}`;
}

function wantedNotice(record: ApprovalRecord): NewNotice {
  return noticeOf(record, "approval.wanted", wantedKey(record.id), record.createdAt);
}

/** Owed only to a session that no longer waits for it; others who show what is open hear it all the same. */
function answeredNotice(record: ApprovalRecord, isMissed: boolean): NewNotice {
  const key = `approval.answered:${record.id}`;
  const notice = noticeOf(record, "approval.answered", key, record.answeredAt ?? 0);
  const isOwed = isMissed && record.session !== null;
  return { ...notice, state: isOwed ? "pending" : "recorded", data: { ...notice.data, missed: isMissed } };
}

function noticeOf(
  { id, session, task, profile, command, cwd, reasons, answer, answeredBy, note, expiresAt }: ApprovalRecord,
  kind: "approval.wanted" | "approval.answered",
  dedupeKey: string,
  at: number,
): NewNotice {
  return {
    kind,
    at,
    processId: null,
    route: { session, task, profile, origin: null },
    state: "pending",
    dedupeKey,
    data: {
      approval: id,
      command,
      cwd,
      reasons: reasons.slice(0, 5),
      expiresAt: new Date(expiresAt).toISOString(),
      ...(answer === null ? {} : { answer, answeredBy, note }),
    },
  };
}
