// Who types into which terminal: one viewer at a time. Taking it is said aloud, and may take it from another; whoever has it and loses the
// connection finds it again for a while.

export interface Typist {
  readonly viewer: string;
  /** Its own secret: proves that it is the same one that comes back. */
  readonly writer: string | undefined;
}

interface Held extends Typist {
  leaving: NodeJS.Timeout | undefined;
}

// A reload, or a network that comes back.
const graceMs = 5_000;

export class Keyboards {
  readonly #held = new Map<string, Held>();
  readonly #onChange: (processId: string) => void;

  /** @param onChange told when one becomes free by itself */
  constructor(onChange: (processId: string) => void) {
    this.#onChange = onChange;
  }

  holder(processId: string): string | undefined {
    return this.#held.get(processId)?.viewer;
  }

  has(processId: string, viewer: string): boolean {
    return this.holder(processId) === viewer;
  }

  /** From whoever has it. */
  take(processId: string, typist: Typist): void {
    this.#clear(processId);
    this.#held.set(processId, { ...typist, leaving: undefined });
  }

  /** True when nobody had it, or this one had. */
  takeIfFree(processId: string, typist: Typist): boolean {
    const held = this.#held.get(processId);
    const isOwn = held !== undefined && held.writer !== undefined && held.writer === typist.writer;
    if (held !== undefined && held.viewer !== typist.viewer && !isOwn) return false;
    this.take(processId, typist);
    return true;
  }

  release(processId: string, viewer: string): void {
    if (this.has(processId, viewer)) this.#clear(processId);
  }

  /** Its connection is gone: it is free in a while, unless the viewer comes back. */
  leave(processId: string, viewer: string): void {
    const held = this.#held.get(processId);
    if (held?.viewer !== viewer) return;
    clearTimeout(held.leaving);
    held.leaving = setTimeout(() => {
      if (this.#held.get(processId) !== held) return;
      this.#held.delete(processId);
      this.#onChange(processId);
    }, graceMs);
    held.leaving.unref();
  }

  close(): void {
    for (const processId of this.#held.keys()) this.#clear(processId);
  }

  #clear(processId: string): void {
    clearTimeout(this.#held.get(processId)?.leaving);
    this.#held.delete(processId);
  }
}
