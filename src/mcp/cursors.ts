// How far each session has looked at each process. Kept by the daemon, so that a session that comes back after everything was killed
// goes on where it was; what was told just now is known here at once.
import { isHoldfastError } from "../protocol/errors.ts";
import type { ToolCall } from "./tool-call.ts";

type Look = Pick<ToolCall, "operations" | "session" | "answered" | "signal">;

export interface Looked {
  readonly offset: number;
  /** A mark of each line of the screen as it was told last; null: it was not. */
  readonly screen: readonly string[] | null;
}

export const nothingLooked: Looked = { offset: 0, screen: null };

// Enough for any agent: what is forgotten here is asked of the daemon again.
const mostKnown = 1_000;

export class Cursors {
  readonly #known = new Map<string, Looked>();

  async get({ operations, session, signal }: Look, id: string): Promise<Looked> {
    const known = this.#known.get(keyOf(session, id));
    if (known !== undefined) return known;
    const { offset, screen } = await operations.call("cursor.get", { id, session }, { signal });
    return { offset, screen };
  }

  /** What this call's answer tells; it counts once the answer is out. */
  tell(look: Look, id: string, before: Looked, changes: Partial<Looked>): void {
    const key = keyOf(look.session, id);
    const told = { ...before, ...changes };
    this.#remember(key, told);
    void this.#keep(look, id, changes, () => {
      if (this.#known.get(key) === told) this.#known.delete(key);
    });
  }

  /** An answer that never arrived has told nothing, unless a later one has. */
  async #keep(
    { operations, session, answered }: Look,
    id: string,
    { offset, screen }: Partial<Looked>,
    takeBack: () => void,
  ): Promise<void> {
    try {
      if (!(await answered())) {
        takeBack();
        return;
      }
      await operations.call("cursor.set", {
        id,
        session,
        ...(offset === undefined ? {} : { offset }),
        ...(screen === undefined ? {} : { screen: screen === null ? null : [...screen] }),
      });
    } catch (error) {
      if (!isHoldfastError(error)) throw error; // the daemon is away: told again at worst
    }
  }

  #remember(key: string, looked: Looked): void {
    // Moved to the end: what was looked at last is kept longest.
    this.#known.delete(key);
    this.#known.set(key, looked);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf(session: string, id: string): string {
  return `${session}\0${id}`;
}
