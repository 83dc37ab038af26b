// How many sign-ins may fail: by address and by name. Its memory is bounded, whoever tries with how many names.

export interface AttemptsOptions {
  readonly most: number;
  readonly withinMs: number;
  /** Names that are remembered at once. */
  readonly mostNames: number;
  /** Milliseconds on a clock that does not jump. */
  readonly now?: () => number;
}

interface Failures {
  count: number;
  untilMs: number;
}

export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #now: () => number;
  readonly #failures = new Map<string, Failures>();

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Counts one as failed before its outcome is known, so that many at once are not more than allowed. Undefined, or how long to wait. */
  begin(name: string): number | undefined {
    const now = this.#now();
    const known = this.#failures.get(name);
    if (known === undefined || known.untilMs <= now) {
      this.#makeRoom(now);
      this.#failures.delete(name); // to the end of the order, which is that of time
      this.#failures.set(name, { count: 1, untilMs: now + this.#options.withinMs });
      return undefined;
    }
    if (known.count >= this.#options.most) return known.untilMs - now;
    known.count += 1;
    return undefined;
  }

  /** It was no failure. */
  succeeded(name: string): void {
    const known = this.#failures.get(name);
    if (known === undefined) return;
    known.count -= 1;
    if (known.count <= 0) this.#failures.delete(name);
  }

  #makeRoom(now: number): void {
    for (const [name, { untilMs }] of this.#failures) {
      if (untilMs > now && this.#failures.size < this.#options.mostNames) return;
      this.#failures.delete(name);
    }
  }
}
