// How much came within a time, as it slides on: told once when it becomes too much, and again after it was not.
// A twentieth of the time is how exactly the window slides.
const parts = 20;
const usPerMs = 1_000;

export interface RateState {
  /** Number of the newest part since the start of the process. */
  readonly part: number;
  /** Of that part and those before it, the newest last. */
  readonly amounts: readonly number[];
  readonly isOver: boolean;
}

export interface RateLimit {
  readonly most: number;
  readonly perMs: number;
}

export class RateWindow {
  readonly #most: number;
  readonly #partUs: number;
  #part: number;
  #amounts: number[];
  #isOver: boolean;

  constructor({ most, perMs }: RateLimit, state?: RateState) {
    this.#most = most;
    this.#partUs = (perMs * usPerMs) / parts;
    this.#part = state?.part ?? 0;
    this.#amounts = [...(state?.amounts ?? [0])];
    this.#isOver = state?.isOver ?? false;
  }

  get state(): RateState {
    return { part: this.#part, amounts: [...this.#amounts], isOver: this.#isOver };
  }

  /** @returns true when with this it has become too much */
  add(timeUs: number, amount: number): boolean {
    this.#moveTo(Math.max(this.#part, Math.floor(timeUs / this.#partUs)));
    if (this.#sum() <= this.#most) this.#isOver = false;
    this.#amounts[this.#amounts.length - 1] = (this.#amounts.at(-1) ?? 0) + amount;
    if (this.#isOver || this.#sum() <= this.#most) return false;
    this.#isOver = true;
    return true;
  }

  #moveTo(part: number): void {
    const steps = Math.min(part - this.#part, parts);
    for (let step = 0; step < steps; step++) this.#amounts.push(0);
    this.#amounts = this.#amounts.slice(-parts);
    this.#part = part;
  }

  #sum(): number {
    return this.#amounts.reduce((sum, amount) => sum + amount, 0);
  }
}
