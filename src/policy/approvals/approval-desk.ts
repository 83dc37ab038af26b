// Where starts wait for a person. What is asked is a row of the store; who waits is known to this daemon alone, so a start
// whose caller or daemon is gone never happens later.
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import { noticeId, type ApprovalRecord, type Store } from "../../store/index.ts";
import { expired, refusedBy, stillPending, stopping } from "../refusals.ts";
import type { Patience } from "../requests.ts";
import {
  answered,
  expiredAt,
  openOrJoin,
  used,
  wantedKey,
  type Answer,
  type Question,
} from "./approval-change.ts";

export interface DeskOptions {
  readonly store: Store;
  /** A problem that concerns nobody's request. */
  readonly report: (message: string, cause?: unknown) => void;
}

type Waiter = (ended: ApprovalRecord | HoldfastError) => void;

export class ApprovalDesk {
  readonly #options: DeskOptions;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#look();
  }

  /** Starts that wait. */
  get waitingCount(): number {
    return [...this.#waiters.values()].reduce((sum, { size }) => sum + size, 0);
  }

  waitingFor(id: string): number {
    return this.#waiters.get(id)?.size ?? 0;
  }

  /**
   * Resolves when a person has allowed it, and the caller is still there.
   * @throws HoldfastError APPROVAL_REFUSED, APPROVAL_EXPIRED, APPROVAL_PENDING when the caller's time is up, DAEMON_STOPPING
   */
  async ask(question: Question, { signal, waitMs }: Patience): Promise<void> {
    const { store } = this.#options;
    await this.#expireDue();
    const nowMs = Date.now();
    const opened = await store.changeApproval({ digest: question.digest }, (before) =>
      openOrJoin(question, before, nowMs),
    );
    if (opened.state === "approved") return; // said before, and used now
    this.#look();
    const ended = await this.#wait(opened, signal, waitMs);
    if (ended.state === "refused") throw refusedBy(ended, await this.#refusalsInARow(ended));
    if (ended.state === "expired") throw expired(ended);
    if (ended.state === "pending") throw stillPending(ended);
    signal.throwIfAborted(); // left unused: the same command may have it
    const { requestId } = question.request;
    await store.changeApproval({ id: ended.id }, (before) => used(before ?? ended, requestId, Date.now()));
  }

  /** @throws HoldfastError APPROVAL_NOT_FOUND, APPROVAL_OVER, INVALID_ARGUMENT */
  async answer(
    id: string,
    answer: (asked: ApprovalRecord) => Omit<Answer, "isMissed">,
  ): Promise<ApprovalRecord> {
    const { store } = this.#options;
    const record = await store.changeApproval({ id }, (before) => {
      if (before === undefined)
        throw new HoldfastError("APPROVAL_NOT_FOUND", `There is no approval "${id}".`);
      const isMissed = this.waitingFor(id) === 0;
      return answered(before, { ...answer(before), isMissed }, Date.now());
    });
    await this.#settle(record);
    return record;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const waiters of this.#waiters.values()) for (const tell of waiters) tell(stopping());
  }

  async #wait(
    asked: ApprovalRecord,
    signal: AbortSignal,
    waitMs: number | undefined,
  ): Promise<ApprovalRecord> {
    signal.throwIfAborted();
    if (this.#isClosed) throw stopping();
    const ended = Promise.withResolvers<ApprovalRecord>();
    const tell: Waiter = (told) => {
      if (told instanceof HoldfastError) ended.reject(told);
      else ended.resolve(told);
    };
    const waiters = this.#waiters.get(asked.id) ?? new Set();
    this.#waiters.set(asked.id, waiters.add(tell));
    const timer = waitMs === undefined ? undefined : setTimeout(() => tell(asked), waitMs);
    const gone = (): void => ended.reject(signal.reason as Error); // an Error, unless a caller made it otherwise
    signal.addEventListener("abort", gone, { once: true });
    try {
      // Answered between the look and now: nobody would tell it.
      const current = await this.#options.store.approvals.get(asked.id);
      if (current !== undefined && current.state !== "pending") return current;
      return await ended.promise;
    } finally {
      ended.promise.catch(() => undefined); // told already, by whatever came first
      clearTimeout(timer);
      signal.removeEventListener("abort", gone);
      waiters.delete(tell);
      if (waiters.size === 0) this.#waiters.delete(asked.id);
    }
  }

  async #settle(record: ApprovalRecord): Promise<void> {
    for (const tell of this.#waiters.get(record.id) ?? []) tell(record);
    const notice = noticeId(wantedKey(record.id));
    await this.#options.store.notices.acknowledge(notice, undefined, Date.now(), `approval ${record.state}`);
  }

  /** Of the session, the newest ones. */
  async #refusalsInARow({ session }: ApprovalRecord): Promise<number> {
    if (session === null) return 1;
    const over = ["approved", "refused"] as const;
    const recent = await this.#options.store.approvals.list({ session, states: over, limit: 20 });
    const first = recent.findIndex(({ state }) => state !== "refused");
    return first < 0 ? recent.length : first;
  }

  async #expireDue(): Promise<ApprovalRecord[]> {
    const { store } = this.#options;
    if (store.access === "read-only") return [];
    const open = await store.approvals.list({ states: ["pending"] });
    const nowMs = Date.now();
    for (const { id } of open.filter(({ expiresAt }) => expiresAt <= nowMs)) {
      try {
        const record = await store.changeApproval({ id }, (before) => {
          if (before?.state !== "pending") throw new HoldfastError("APPROVAL_OVER", `${id} is over.`);
          return expiredAt(before, nowMs);
        });
        await this.#settle(record);
      } catch (error) {
        if (!isHoldfastError(error, "APPROVAL_OVER")) throw error; // answered in the last moment
      }
    }
    return open.filter(({ expiresAt }) => expiresAt > nowMs);
  }

  /** Ends what is due, and comes back when the next one is. */
  #look(): void {
    this.#lookNow().catch((error: unknown) => {
      if (!this.#isClosed) this.#options.report("Approvals that are due cannot be ended.", error);
    });
  }

  async #lookNow(): Promise<void> {
    const open = await this.#expireDue();
    clearTimeout(this.#timer);
    if (this.#isClosed || open.length === 0) return;
    const nextMs = Math.min(...open.map(({ expiresAt }) => expiresAt)) - Date.now();
    // The clock may be set back meanwhile: not longer than a minute without a look.
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(nextMs, 1), 60_000));
    this.#timer.unref();
  }
}
