// What keeps a home busy: asked by hosts that scale to zero, and by a daemon that was told to go.

export interface BusySource {
  readonly name: string;
  /** How much of it there is now. A source that throws cannot be read, and counts as busy. */
  readonly count: () => number;
  /** A daemon that goes lets it finish first, for a while. */
  readonly holdsDrain: boolean;
}

export interface BusyCount {
  readonly name: string;
  /** Null: it could not be read. */
  readonly count: number | null;
}

export class BusySources {
  readonly #sources: BusySource[] = [];

  add(source: BusySource): void {
    this.#sources.push(source);
  }

  counts(): BusyCount[] {
    return this.#sources.map(countOf);
  }

  /** Is there something that a daemon should let finish before it goes? */
  get holdDrain(): boolean {
    return this.#sources.some((source) => source.holdsDrain && countOf(source).count !== 0);
  }
}

function countOf({ name, count }: BusySource): BusyCount {
  try {
    return { name, count: count() };
  } catch {
    return { name, count: null };
  }
}
