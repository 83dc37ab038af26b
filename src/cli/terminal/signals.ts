// Signals that reach the command line and are meant for the process it stays with. They are taken from the beginning:
// one that comes while the process is being started must not be lost, nor end us and leave the process behind.

// SIGUSR1 would open Node's debugger if nobody took it.
const names = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

export type ForwardedSignal = (typeof names)[number];

export class Signals {
  readonly #waiting: ForwardedSignal[] = [];
  #take: ((name: ForwardedSignal) => void) | undefined;

  constructor() {
    for (const name of names) process.on(name, this.#receive);
  }

  /** Hands over what has come and what comes. */
  handTo(take: (name: ForwardedSignal) => void): void {
    this.#take = take;
    for (const name of this.#waiting.splice(0)) take(name);
  }

  close(): void {
    for (const name of names) process.off(name, this.#receive);
  }

  readonly #receive = (name: NodeJS.Signals): void => {
    const known = name as ForwardedSignal; // only these were asked for
    if (this.#take === undefined) this.#waiting.push(known);
    else this.#take(known);
  };
}
