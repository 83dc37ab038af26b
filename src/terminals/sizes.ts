// Sets the sizes that viewers ask for, one after the other: of a storm of them, as when a window is dragged, only the last one counts.
import type { TerminalSize } from "../protocol/terminal-size.ts";

// A program paints anew for every size.
const spacingMs = 30;

interface Wanted {
  next: TerminalSize | undefined;
}

export class Sizes {
  readonly #resize: (id: string, size: TerminalSize) => Promise<void>;
  readonly #wanted = new Map<string, Wanted>();

  constructor(resize: (id: string, size: TerminalSize) => Promise<void>) {
    this.#resize = resize;
  }

  want(id: string, size: TerminalSize): void {
    const busy = this.#wanted.get(id);
    if (busy !== undefined) {
      busy.next = size;
      return;
    }
    const wanted: Wanted = { next: size };
    this.#wanted.set(id, wanted);
    void this.#work(id, wanted);
  }

  async #work(id: string, wanted: Wanted): Promise<void> {
    while (wanted.next !== undefined) {
      const size = wanted.next;
      wanted.next = undefined;
      await this.#resize(id, size).catch(() => undefined); // it has ended; its viewers hear of that
      await new Promise<void>((resolve) => setTimeout(resolve, spacingMs).unref());
    }
    this.#wanted.delete(id);
  }
}
