// The time between being told to go and going: nothing new is started, and what somebody waits for may still come.
import { setTimeout as delay } from "node:timers/promises";
import type { BusySources } from "../operations/index.ts";

export interface DrainOptions {
  readonly busy: BusySources;
  /** How long it may take where nobody says otherwise; read while it lasts, so that a change counts at once. */
  readonly configuredMs: () => number;
  /** Told once, when it begins. */
  readonly onBegin: () => void;
}

const lookAgainMs = 20;

export class Drain {
  readonly #options: DrainOptions;
  readonly #hurried = Promise.withResolvers<void>();
  #beganMs: number | undefined;
  #limitMs: number | undefined;
  #isHurried = false;
  #over: Promise<void> | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  get hasBegun(): boolean {
    return this.#beganMs !== undefined;
  }

  /** How long it may still take. */
  get leftMs(): number {
    if (this.#beganMs === undefined || this.#isHurried) return 0;
    const limitMs = this.#limitMs ?? this.#options.configuredMs();
    return Math.max(0, Math.round(this.#beganMs + limitMs - performance.now()));
  }

  /** Nothing new from here on. Resolves when nothing holds it up any more, when time is up, or when it is hurried. */
  begin(limitMs?: number): Promise<void> {
    if (this.#over === undefined) {
      this.#beganMs = performance.now();
      this.#limitMs = limitMs;
      this.#options.onBegin();
      this.#over = this.#run();
    }
    return this.#over;
  }

  /** Whoever asks a second time does not want to wait. */
  hurry(): void {
    this.#isHurried = true;
    this.#hurried.resolve();
  }

  async #run(): Promise<void> {
    while (!this.#isHurried && this.#options.busy.holdDrain && this.leftMs > 0) {
      await Promise.race([delay(Math.min(lookAgainMs, this.leftMs)), this.#hurried.promise]);
    }
  }
}
