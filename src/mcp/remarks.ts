// Remarks about how a command is started are the same for most commands: each is told once to a session, and again only when it was not so
// meanwhile.

const mostSessions = 1_000;

export class Remarks {
  readonly #told = new Map<string, ReadonlySet<string>>();

  /** Those that were not told with this session's last command. */
  fresh(session: string, remarks: readonly string[]): string[] {
    const before = this.#told.get(session);
    this.#told.delete(session); // so that it becomes the newest
    this.#told.set(session, new Set(remarks));
    const [oldest] = this.#told.keys();
    if (this.#told.size > mostSessions && oldest !== undefined) this.#told.delete(oldest);
    return remarks.filter((remark) => before?.has(remark) !== true);
  }
}
