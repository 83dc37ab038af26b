// Remarks about how a command is started are the same for most commands: each is told once to a session.

const mostRemembered = 1_000;

export class Remarks {
  readonly #told = new Set<string>();

  /** Those that this session has not been told yet. */
  fresh(session: string, remarks: readonly string[]): string[] {
    return remarks.filter((remark) => {
      const key = `${session}\0${remark}`;
      if (this.#told.has(key)) return false;
      const [oldest] = this.#told;
      if (this.#told.size >= mostRemembered && oldest !== undefined) this.#told.delete(oldest);
      this.#told.add(key);
      return true;
    });
  }
}
