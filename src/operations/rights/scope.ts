// What a caller that speaks for a session may touch: its own, what is nobody's to look at, and what was shared with it. A caller without a
// session is a person, or a program of theirs, and is not asked. Every verb and every stream comes through here.
import { HoldfastError } from "../../protocol/errors.ts";
import type { Caller } from "../../protocol/operations.ts";
import type { Right } from "../../protocol/shares.ts";
import type { ProcessContext } from "../../processes/index.ts";
import type { ProcessRecord } from "../../store/index.ts";

/** own: also what is nobody's right but its owner's, as to share it. */
export type NeededRight = Right | "own";

type Owned = Pick<ProcessRecord, "id" | "session">;

const strength: Readonly<Record<NeededRight, number>> = { read: 1, control: 2, own: 3 };

export class Scope {
  readonly session: string;
  readonly #processes: ProcessContext;

  constructor(processes: ProcessContext, session: string) {
    this.#processes = processes;
    this.session = session;
  }

  /** Undefined for callers who are not asked. */
  static of(processes: ProcessContext, { session }: Caller): Scope | undefined {
    return session === undefined ? undefined : new Scope(processes, session);
  }

  /** The whole id of what a caller names. @throws HoldfastError NOT_YOURS, PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS */
  async process(reference: string, needed: NeededRight): Promise<string> {
    const record = await this.#processes.registry.find(reference, this.session);
    await this.check(record, needed);
    return record.id;
  }

  /** @throws HoldfastError NOT_YOURS */
  async check(record: Owned, needed: NeededRight): Promise<void> {
    const has = await this.#rightTo(record);
    if (has !== undefined && strength[has] >= strength[needed]) return;
    throw notYours(record, needed, has, this.session);
  }

  async sees(record: Owned): Promise<boolean> {
    return (await this.#rightTo(record)) !== undefined;
  }

  /** Those of processes that it may see; what is gone is left out. */
  async seenOf<Item>(items: readonly Item[], idOf: (item: Item) => string): Promise<Item[]> {
    const seen = await Promise.all(
      items.map(async (item) => {
        const record = await this.#processes.registry.get(idOf(item));
        return record !== undefined && (await this.sees(record));
      }),
    );
    return items.filter((_item, index) => seen[index]);
  }

  /** A session acts for itself. @throws HoldfastError NOT_YOURS */
  own(session: string | undefined): string {
    if (session === undefined || session === this.session) return this.session;
    throw new HoldfastError(
      "NOT_YOURS",
      `Session "${this.session}" does not speak for session "${session}".`,
      {
        details: { session },
        hint: "Leave the session out, or ask for that session, or for none.",
      },
    );
  }

  async #rightTo({ id, session }: Owned): Promise<NeededRight | undefined> {
    if (session === this.session) return "own";
    const given = await this.#processes.store.shares.rightOf(id, this.session);
    // What is nobody's was started by a person, for everybody to see.
    return given ?? (session === null ? "read" : undefined);
  }
}

function notYours(
  { id, session }: Owned,
  needed: NeededRight,
  has: NeededRight | undefined,
  asking: string,
): HoldfastError {
  const whose = session === null ? "no session's" : "another session's";
  const verb = needed === "own" ? "shared" : needed === "control" ? "changed" : "seen";
  const right = needed === "own" ? "" : `: \`holdfast share ${id} --session ${asking} --right ${needed}\``;
  return new HoldfastError("NOT_YOURS", `${id} is ${whose}, and not yours to be ${verb}.`, {
    details: { id, needed, has: has ?? "none" },
    hint:
      needed === "own"
        ? "Its own session, or a person, can do that."
        : `Its own session, or a person, can share it${right}.`,
  });
}
