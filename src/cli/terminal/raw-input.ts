// The terminal on standard input, byte by byte and without its own Ctrl-C: every key belongs to the process. Set back
// whatever happens: a shell after us must not find a terminal that shows nothing.
import { spawnSync } from "node:child_process";

export class RawInput {
  // Node keeps the settings from before its first change and returns to exactly those.
  readonly #restore = (): void => void process.stdin.setRawMode(false);
  readonly #setAgain = (): void => {
    this.#restore();
    this.#set();
  };

  constructor() {
    process.once("exit", this.#restore);
    // Whoever stopped us and let us go on has set the terminal for itself meanwhile.
    process.on("SIGCONT", this.#setAgain);
    this.#set();
  }

  close(): void {
    process.off("SIGCONT", this.#setAgain);
    process.off("exit", this.#restore);
    this.#restore();
  }

  #set(): void {
    process.stdin.setRawMode(true);
    // Node's raw mode still makes a carriage return of every line feed. The process's own terminal has decided that
    // already; done twice, a line feed that only moves down would jump to the left. Without stty that is how it is.
    spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
  }
}
