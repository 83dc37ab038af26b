// The terminal on standard input, byte by byte and without its own Ctrl-C: every key belongs to the process. Set back
// whatever happens: a shell after us must not find a terminal that shows nothing.

export class RawInput {
  readonly #restore = (): void => {
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
  };
  readonly #resume = (): void => this.#set();

  constructor() {
    process.once("exit", this.#restore);
    // Whoever stopped us and let us go on has set the terminal for itself meanwhile.
    process.on("SIGCONT", this.#resume);
    this.#set();
  }

  close(): void {
    process.off("SIGCONT", this.#resume);
    process.off("exit", this.#restore);
    this.#restore();
  }

  #set(): void {
    process.stdin.setRawMode(true);
  }
}
