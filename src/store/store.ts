// The memory of a home: one database, one owner.
import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely } from "kysely";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { Approvals, type ApprovalRecord } from "./approvals.ts";
import { Audit, type AuditRecord } from "./audit.ts";
import { Committer, type NoticeListener } from "./committer.ts";
import { Credentials } from "./credentials.ts";
import { Cursors } from "./cursors.ts";
import { DelegationCommits, type DelegationChange } from "./delegation-commits.ts";
import { Delegations, type DelegationRecord } from "./delegations.ts";
import { Deliveries } from "./deliveries.ts";
import { Events, type NewEvent } from "./events.ts";
import { Grants, type GrantRecord } from "./grants.ts";
import { findDamageInWorker } from "./integrity.ts";
import { migrate } from "./migrate.ts";
import type { NewNotice } from "./new-notice.ts";
import { Notices } from "./notices.ts";
import { openAgainForWriting, openDatabase, type OpenDatabase } from "./open-database.ts";
import { PolicyCommits, type ApprovalChange } from "./policy-commits.ts";
import { ProcessCommits } from "./process-commits.ts";
import type { ProcessRecord } from "./process-record.ts";
import { Processes, type ProcessChanges } from "./processes.ts";
import { replaceDamaged } from "./set-aside.ts";
import { Sessions } from "./sessions.ts";
import { Shares } from "./shares.ts";
import { SinkStates } from "./sink-states.ts";
import { SqliteDialect } from "./sqlite-dialect.ts";
import { Statements } from "./statements.ts";
import type { StoreTables } from "./tables.ts";
import { Watches, type WatchAdvance } from "./watches.ts";

export interface StoreOptions {
  /** Absolute path; its directory is there. */
  readonly file: string;
  /** Something was kept here before: a store that has to be made is the successor of one that was deleted. */
  readonly isHomeUsed?: boolean;
  /** Told what the store got over by itself: STORE_CORRUPT, STORE_READ_ONLY, STORE_FULL. */
  readonly onProblem?: (problem: HoldfastError) => void;
}

/** Everything of the store, inside one transaction. */
export interface StoreTransaction {
  readonly processes: Processes;
  readonly events: Events;
  readonly notices: Notices;
}

/** `replaced`: it was damaged and set aside. Of `created` and `replaced` ones the run directories know more. */
export type StoreOrigin = "existing" | "created" | "replaced";

export class Store implements StoreTransaction {
  readonly file: string;
  readonly origin: StoreOrigin;
  readonly processes: Processes;
  readonly events: Events;
  readonly notices: Notices;
  readonly deliveries: Deliveries;
  readonly sinks: SinkStates;
  readonly sessions: Sessions;
  readonly delegations: Delegations;
  readonly watches: Watches;
  readonly approvals: Approvals;
  readonly grants: Grants;
  readonly audit: Audit;
  readonly cursors: Cursors;
  readonly shares: Shares;
  readonly credentials: Credentials;
  readonly #db: Kysely<StoreTables>;
  readonly #dialect: SqliteDialect;
  readonly #committer: Committer;
  readonly #statements: Statements;
  readonly #processCommits: ProcessCommits;
  readonly #delegationCommits: DelegationCommits;
  readonly #policyCommits: PolicyCommits;
  #access: OpenDatabase["access"];
  #location: string;
  readonly #scopes = new AsyncLocalStorage<{ isOpen: boolean }>();
  readonly #checks = new Set<Promise<string[]>>();

  private constructor(file: string, opened: OpenDatabase, origin: StoreOrigin) {
    this.file = file;
    this.origin = origin;
    this.#access = opened.access;
    this.#location = opened.location;
    this.#dialect = new SqliteDialect({
      database: opened.database,
      beforeWait: () => this.#refuseInsideTransaction(),
    });
    this.#db = new Kysely<StoreTables>({ dialect: this.#dialect });
    this.#committer = new Committer(this.#dialect);
    this.#statements = new Statements(this.#db);
    this.#processCommits = new ProcessCommits(this.#committer, this.#db, this.#statements);
    this.#delegationCommits = new DelegationCommits(this.#committer, this.#db, this.#statements);
    this.#policyCommits = new PolicyCommits(this.#committer, this.#db, this.#statements);
    this.processes = new Processes(this.#db);
    this.events = new Events(this.#db);
    this.notices = new Notices(this.#db);
    this.deliveries = new Deliveries(this.#db);
    this.sinks = new SinkStates(this.#db);
    this.sessions = new Sessions(this.#db);
    this.delegations = new Delegations(this.#db);
    this.watches = new Watches(this.#db);
    this.approvals = new Approvals(this.#db);
    this.grants = new Grants(this.#db);
    this.audit = new Audit(this.#db);
    this.cursors = new Cursors(this.#db);
    this.shares = new Shares(this.#db);
    this.credentials = new Credentials(this.#db);
  }

  /**
   * Opens the store or makes one. A damaged file is set aside, never deleted, and a fresh one takes its place; one that
   * cannot be written is opened for reading.
   * @throws HoldfastError STORE_TOO_NEW, with nothing touched; STORE_READ_ONLY or STORE_FULL where there is nothing to read
   */
  static async open(options: StoreOptions): Promise<Store> {
    try {
      return await Store.#open(options, "existing");
    } catch (error) {
      if (!isHoldfastError(error, "STORE_CORRUPT")) throw error;
      const problem = replaceDamaged(options.file, error);
      const store = await Store.#open(options, "replaced");
      options.onProblem?.(problem);
      return store;
    }
  }

  static async #open(options: StoreOptions, origin: StoreOrigin): Promise<Store> {
    const opened = await openDatabase(options.file);
    const isEmpty = opened.version === 0 && origin === "existing";
    const store = new Store(options.file, opened, isEmpty ? "created" : origin);
    try {
      await migrate(store.#db, opened.version);
      // Readers come back with cursors of the store before it.
      const isSuccessor = store.origin === "replaced" || (isEmpty && options.isHomeUsed === true);
      if (isSuccessor) {
        await store.events.beginAnew(Date.now());
        await store.notices.beginAnew(Date.now());
      }
    } catch (error) {
      await store.close();
      throw error;
    }
    if (opened.problem !== undefined) options.onProblem?.(opened.problem);
    return store;
  }

  /** @throws HoldfastError STORE_CONFLICT, as Processes.insert, whose quick form this is */
  async insertProcess(record: ProcessRecord): Promise<void> {
    await this.#processCommits.insert(record);
  }

  /**
   * What has become of a process, the event that tells of it, the notices that are owed and what its watches found, all or
   * none. Resolves with the event's cursor.
   * @throws HoldfastError STORE_CONFLICT: a living one has this name
   */
  async changeProcess(
    id: string,
    changes: ProcessChanges,
    event: NewEvent,
    notices: readonly NewNotice[] = [],
    advance?: WatchAdvance,
  ): Promise<number> {
    return await this.#processCommits.change(id, changes, event, { notices, advance });
  }

  /** Resolves with the cursor of the event that tells it. */
  async removeProcess(id: string, event: NewEvent): Promise<number> {
    return await this.#processCommits.remove(id, event);
  }

  /** What watches found, what is told of it and how far they came, all or none. */
  async advanceWatches(advance: WatchAdvance): Promise<void> {
    await this.#processCommits.advanceWatches(advance);
  }

  /** False if there is none. */
  async removeWatch(id: string): Promise<boolean> {
    return await this.#processCommits.removeWatch(id);
  }

  /** Something that is no change of a process. What was told before under the same key is left as it is. */
  async addNotices(notices: readonly NewNotice[]): Promise<void> {
    await this.#committer.change((run) => {
      for (const notice of notices) this.#statements.insertNotice(run, notice);
    });
    this.#committer.tell(notices);
  }

  /** Called after every commit that may have brought a notice. Returns how to stop listening. */
  listenNotices(listener: NoticeListener): () => void {
    return this.#committer.listen(listener);
  }

  /**
   * What has become of a delegation and the notice that is owed, both or none. `change` is given it as it stands, and may
   * throw; nothing else changes it meanwhile.
   */
  async changeDelegation(
    id: string,
    change: (before: DelegationRecord | undefined) => DelegationChange,
  ): Promise<DelegationRecord> {
    return await this.#delegationCommits.change(id, change);
  }

  /**
   * What has become of an approval, what it grants, what is owed and what is put on record, all or none. `change` is given the
   * one with this id, or the newest one for the same thing, and may throw.
   */
  async changeApproval(
    by: { readonly id: string } | { readonly digest: string },
    change: (before: ApprovalRecord | undefined) => ApprovalChange,
  ): Promise<ApprovalRecord> {
    return await this.#policyCommits.changeApproval(by, change);
  }

  /** An entry of the audit log, with the grant it tells of. */
  async addAudit(audit: AuditRecord, grant?: GrantRecord): Promise<void> {
    await this.#policyCommits.addAudit(audit, grant);
  }

  /** How many grants ended; told by the entry, if any did. */
  async endGrants(
    by: { readonly session: string } | { readonly grant: string },
    audit: AuditRecord,
  ): Promise<number> {
    return await this.#policyCommits.endGrants(by, audit);
  }

  /**
   * All or nothing. The callback works with what it is given: the store itself is refused inside, since it would wait
   * for this very transaction. It waits for nothing else either: until it returns, everybody else waits.
   */
  async transaction<Result>(work: (trx: StoreTransaction) => Promise<Result>): Promise<Result> {
    return await this.#db.transaction().execute(async (trx) => {
      const scope = { isOpen: true };
      try {
        const parts = { processes: new Processes(trx), events: new Events(trx), notices: new Notices(trx) };
        return await this.#scopes.run(scope, work, parts);
      } finally {
        scope.isOpen = false; // what the callback started and left running may use the store again
      }
    });
  }

  get access(): OpenDatabase["access"] {
    return this.#access;
  }

  /**
   * Opens one that could only be read for writing. Undefined while that does not work; else the processes that had not
   * ended, as read before anybody could write.
   */
  async becomeWritable(): Promise<ProcessRecord[] | undefined> {
    const database = openAgainForWriting(this.file);
    if (database === undefined) return undefined;
    try {
      const ahead = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) });
      const live = await new Processes(ahead).live();
      await this.#dialect.replace(database);
      this.#access = "read-write";
      this.#location = this.file;
      return live;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** What is wrong with the file; empty when it is sound. Runs in a thread. */
  async checkIntegrity(): Promise<string[]> {
    const check = findDamageInWorker(this.#location);
    this.#checks.add(check);
    try {
      return await check;
    } finally {
      this.#checks.delete(check);
    }
  }

  /** What was asked before is still done. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#checks);
    await this.#dialect.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #refuseInsideTransaction(): void {
    if (this.#scopes.getStore()?.isOpen !== true) return;
    throw new HoldfastError(
      "INTERNAL",
      "The store was used inside a transaction instead of the transaction.",
    );
  }
}
