// Kysely over node:sqlite: one connection that callers take in turn. Kysely's own SQLite driver expects better-sqlite3,
// prepares every statement anew and begins transactions that fail when they come to their first write.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from "kysely";
import { HoldfastError } from "../protocol/errors.ts";
import { SharedCommit, type Run } from "./shared-commit.ts";
import { storeError } from "./store-error.ts";
import { Turns } from "./turns.ts";

// Far more than there are different queries; a list of states or ids makes a few variants of one.
const cachedStatements = 200;

export interface SqliteDialectOptions {
  readonly database: DatabaseSync;
  /** Asked before the connection is waited for; throws where waiting would never end. */
  readonly beforeWait?: () => void;
}

export class SqliteDialect implements Dialect {
  readonly #driver: SqliteDriver;

  constructor(options: SqliteDialectOptions) {
    this.#driver = new SqliteDriver(options);
  }

  createDriver(): Driver {
    return this.#driver;
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter();
  }

  // Kysely's interface has `any` for the tables here: an introspector reads those that are there.
  createIntrospector(db: Kysely<never>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }

  /** Work without a pause in it, committed with whatever else comes at the same moment. */
  change<Result>(work: (run: Run) => Result): Promise<Result> {
    return this.#driver.change(work);
  }

  /** Goes on with another connection, between two turns; the one before is closed. */
  async replace(database: DatabaseSync): Promise<void> {
    await this.#driver.replace(database);
  }

  /** Closes the database once everybody who waits for it has had a turn. */
  async close(): Promise<void> {
    await this.#driver.destroy();
  }
}

class SqliteDriver implements Driver {
  readonly #options: SqliteDialectOptions;
  #database: DatabaseSync;
  #connection: SqliteConnection;
  readonly #turns = new Turns();
  readonly #commits: SharedCommit;
  #isClosed = false;

  constructor(options: SqliteDialectOptions) {
    this.#options = options;
    this.#database = options.database;
    this.#connection = new SqliteConnection(options.database);
    this.#commits = new SharedCommit({
      run: (sql, parameters) => this.#connection.run(sql, parameters),
      take: () => this.acquireConnection(),
      give: () => this.#turns.give(),
      isInTransaction: () => this.#database.isTransaction,
    });
  }

  async change<Result>(work: (run: Run) => Result): Promise<Result> {
    this.#options.beforeWait?.();
    return await this.#commits.add(work);
  }

  async init(): Promise<void> {
    // The database comes open.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#options.beforeWait?.();
    await this.#turns.take();
    if (!this.#isClosed) return this.#connection;
    this.#turns.give();
    throw new HoldfastError("STORE_CLOSED", "The store is closed.");
  }

  async releaseConnection(): Promise<void> {
    this.#turns.give();
  }

  async beginTransaction(): Promise<void> {
    // Immediate: one that begins as a reader cannot wait for its turn to write, it fails at once.
    this.#connection.run("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk makes SQLite roll back by itself; to ask again would hide that error behind another.
    if (this.#database.isTransaction) this.#connection.run("rollback");
  }

  async replace(database: DatabaseSync): Promise<void> {
    await this.#turns.take();
    if (this.#isClosed) {
      database.close();
    } else {
      this.#database.close();
      this.#database = database;
      this.#connection = new SqliteConnection(database);
    }
    this.#turns.give();
  }

  async destroy(): Promise<void> {
    await this.#turns.take();
    if (!this.#isClosed) this.#database.close();
    this.#isClosed = true;
    this.#turns.give();
  }
}

interface CachedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #cache = new Map<string, CachedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters);
  }

  /** @throws HoldfastError STORE_… */
  run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    const values = parameters as SQLInputValue[]; // the tables have no other values: tables.ts
    try {
      const { statement, returnsRows } = this.#prepare(sql);
      if (returnsRows) return { rows: statement.all(...values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw storeError(error);
    }
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize = 1): AsyncGenerator<QueryResult<Row>> {
    // Not a cached one: it stays open between the rows, and the same query may be asked meanwhile.
    const statement = this.#database.prepare(query.sql);
    let rows: Row[] = [];
    for (const row of statement.iterate(...(query.parameters as SQLInputValue[]))) {
      rows.push(row as Row);
      if (rows.length < chunkSize) continue;
      yield { rows };
      rows = [];
    }
    if (rows.length > 0) yield { rows };
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#cache.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const entry = { statement, returnsRows: statement.columns().length > 0 };
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= cachedStatements && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(sql, entry);
    return entry;
  }
}
