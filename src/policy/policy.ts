// The policy of a home: before a command runs, what is configured decides, and what it decided is put on record.
import type { ApprovalAnswer, Decision, PolicyReason } from "../protocol/policy.ts";
import { newGrantId } from "../protocol/ids.ts";
import type { Config } from "../config/index.ts";
import { redactText } from "../redaction/index.ts";
import type { ApprovalRecord, AuditRecord, GrantRecord, Store } from "../store/index.ts";
import { ApprovalDesk } from "./approvals/approval-desk.ts";
import { decide } from "./decide.ts";
import { denied } from "./refusals.ts";
import type { Patience, StartRequest } from "./requests.ts";
import { digestOf, profileOf, type CompiledProfile } from "./rules/compile-profile.ts";
import { shownWords, type Seen } from "./shell/read-command.ts";
import { readSafely } from "./shell/read-safely.ts";
import { fixedWord } from "./shell/words.ts";

export interface PolicyOptions {
  /** Of Holdfast: it is protected wherever anything is. */
  readonly home: string;
  readonly store: Store;
  readonly config: () => Config;
  readonly report: (message: string, cause?: unknown) => void;
}

export interface Judgement {
  readonly decision: Decision;
  readonly profile: CompiledProfile | undefined;
  readonly reasons: readonly PolicyReason[];
  readonly seen: Seen;
  /** What turned ask into allow. */
  readonly grants: readonly GrantRecord[];
}

const nothingSeen: Seen = { commands: [], files: [], opaque: [] };
const mostCommandCharacters = 4_000;

export class Policy {
  readonly #options: PolicyOptions;
  readonly #desk: ApprovalDesk;

  constructor(options: PolicyOptions) {
    this.#options = options;
    this.#desk = new ApprovalDesk(options);
  }

  /** Starts that wait for a person. */
  get waitingCount(): number {
    return this.#desk.waitingCount;
  }

  waitingFor(approval: string): number {
    return this.#desk.waitingFor(approval);
  }

  profile(name: string): CompiledProfile | undefined {
    return profileOf(this.#options.config().policy, name, this.#options.home);
  }

  /** What would be decided; starts, asks and records nothing. */
  async judge(request: Omit<StartRequest, "requestId" | "task">): Promise<Judgement> {
    const profile = this.profile(request.profile);
    if (profile === undefined)
      return { decision: "allow", profile, reasons: [], seen: nothingSeen, grants: [] };
    const seen = await readSafely(request.command);
    const verdict = decide(profile, seen, request.cwd);
    const reasons = verdict.reasons.map((reason) => ({
      ...reason,
      command: redactText(reason.command).text,
    }));
    const decided = { decision: verdict.decision, profile, reasons, seen, grants: [] };
    if (verdict.decision !== "ask") return decided;
    const grants = await this.#options.store.grants.of(request.session, Date.now());
    const counting = grantsFor(profile, reasons, grants);
    return counting === undefined ? decided : { ...decided, decision: "allow", grants: counting };
  }

  /**
   * Resolves when the command may run. Without a policy that costs nothing.
   * @throws HoldfastError POLICY_DENIED, APPROVAL_REFUSED, APPROVAL_EXPIRED, APPROVAL_PENDING
   */
  async admit(request: StartRequest, patience: Patience): Promise<void> {
    if (this.profile(request.profile) === undefined) return;
    const { decision, profile, reasons, grants } = await this.judge(request);
    if (profile === undefined) return; // taken out of the configuration meanwhile
    const command = shownCommand(request.command);
    const decisive = reasons.filter((reason) => reason.decision === decision);
    if (decision === "ask") {
      const { session, profile: name, cwd } = request;
      const digest = digestOf([session, name, request.command, cwd]);
      const lastsMs = this.#options.config().policy.approvalMs;
      await this.#desk.ask({ request, digest, command, reasons: decisive, lastsMs }, patience);
      return;
    }
    const by =
      grants.length === 0 ? "policy" : grants.map((grant) => `grant ${grant.id} of ${grant.by}`).join(", ");
    const rules = (grants.length === 0 ? decisive : reasons).map(({ rule }) => rule);
    await this.#options.store.addAudit(entryOf(request, { what: "decided", decision, command, rules, by }));
    if (decision === "deny") throw denied(profile.from, reasons);
  }

  /** @throws HoldfastError APPROVAL_NOT_FOUND, APPROVAL_OVER, INVALID_ARGUMENT */
  async answer(
    approval: string,
    {
      answer,
      by,
      note,
      requestId,
    }: { answer: ApprovalAnswer; by: string; note: string | null; requestId: string },
  ): Promise<ApprovalRecord> {
    return await this.#desk.answer(approval, (asked) => ({
      answer,
      by,
      note,
      requestId,
      digestOfRule: (rule) => this.profile(asked.profile)?.digests.get(rule),
    }));
  }

  /** Nothing asks in this session any more; what is denied stays denied. */
  async lift(
    session: string,
    { by, forMs, requestId }: { by: string; forMs: number | undefined; requestId: string },
  ): Promise<GrantRecord> {
    const at = Date.now();
    const grant: GrantRecord = {
      id: newGrantId(),
      session,
      profile: null,
      rule: null,
      digest: null,
      by,
      createdAt: at,
      expiresAt: forMs === undefined ? null : at + forMs,
    };
    const what = { at, what: "granted", decision: "allow", approval: null } as const;
    await this.#options.store.addAudit({ ...nowhere, ...what, rules: [], session, by, requestId }, grant);
    return grant;
  }

  async restore(
    which: { readonly session: string } | { readonly grant: string },
    { by, requestId }: { by: string; requestId: string },
  ): Promise<number> {
    const what = { at: Date.now(), what: "restored", decision: "ask", approval: null } as const;
    const session = "session" in which ? which.session : null;
    const rules = "grant" in which ? [which.grant] : [];
    return await this.#options.store.endGrants(which, { ...nowhere, ...what, session, rules, by, requestId });
  }

  /** A person changed what is decided by. */
  async recordChange(key: string, by: string, requestId: string): Promise<void> {
    const what = { at: Date.now(), what: "configured", decision: "allow", approval: null } as const;
    await this.#options.store.addAudit({ ...nowhere, ...what, session: null, rules: [key], by, requestId });
  }

  /** Nothing of this stays for ever. */
  async trim(nowMs: number): Promise<void> {
    const { store, config } = this.#options;
    const beforeMs = nowMs - config().policy.auditMs;
    await store.audit.trim(beforeMs);
    await store.approvals.deleteOver(beforeMs);
    await store.grants.deleteExpired(nowMs);
  }

  close(): void {
    this.#desk.close();
  }
}

const nowhere = { task: null, profile: null, command: null, cwd: null };

/** The grants that cover everything that asks; undefined when something still does. */
function grantsFor(
  profile: CompiledProfile,
  reasons: readonly PolicyReason[],
  grants: readonly GrantRecord[],
): GrantRecord[] | undefined {
  const counting = new Set<GrantRecord>();
  for (const { decision, rule } of reasons) {
    if (decision !== "ask") continue;
    const found = grants.find(
      (grant) => grant.rule === null || (grant.rule === rule && grant.digest === profile.digests.get(rule)),
    );
    if (found === undefined) return undefined;
    counting.add(found);
  }
  return [...counting];
}

function entryOf(
  { session, task, profile, cwd, requestId }: StartRequest,
  facts: Pick<AuditRecord, "what" | "decision" | "command" | "rules" | "by">,
): AuditRecord {
  const rules = [...new Set(facts.rules)];
  return { at: Date.now(), ...facts, rules, session, task, profile, cwd, approval: null, requestId };
}

function shownCommand(command: StartRequest["command"]): string {
  const text = typeof command === "string" ? command : shownWords(command.map(fixedWord));
  const { text: redacted } = redactText(text);
  return redacted.length > mostCommandCharacters ? `${redacted.slice(0, mostCommandCharacters)}…` : redacted;
}
