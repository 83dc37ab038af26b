// How far each session has looked at the output of each process.

// Enough for any agent; the oldest is forgotten, and its next poll begins at the beginning.
const mostCursors = 10_000;

export class Cursors {
  readonly #offsets = new Map<string, number>();

  get(session: string, id: string): number {
    return this.#offsets.get(`${session}\0${id}`) ?? 0;
  }

  set(session: string, id: string, offset: number): void {
    const key = `${session}\0${id}`;
    // Moved to the end: what was looked at last is kept longest.
    this.#offsets.delete(key);
    this.#offsets.set(key, offset);
    const [oldest] = this.#offsets.keys();
    if (this.#offsets.size > mostCursors && oldest !== undefined) this.#offsets.delete(oldest);
  }
}
