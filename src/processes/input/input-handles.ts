// Handles of runs that were written to a moment ago: whoever types does not wait for a new connection at each key.
import type { KeptProcess } from "../../keeper/index.ts";

interface Handle {
  readonly kept: KeptProcess;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

// A pause between two keys; after a longer one a new connection is not felt.
const idleMs = 5_000;

export class InputHandles {
  readonly #open: (id: string) => KeptProcess;
  readonly #handles = new Map<string, Handle>();

  constructor(open: (id: string) => KeptProcess) {
    this.#open = open;
  }

  async use<Answer>(id: string, work: (kept: KeptProcess) => Promise<Answer>): Promise<Answer> {
    const handle = this.#take(id);
    try {
      return await work(handle.kept);
    } catch (error) {
      // Ended, or in doubt: the next one begins anew.
      this.#drop(id, handle);
      throw error;
    } finally {
      this.#giveBack(id, handle);
    }
  }

  close(): void {
    for (const [id, handle] of this.#handles) {
      this.#drop(id, handle);
      handle.kept.close();
    }
  }

  #take(id: string): Handle {
    const handle = this.#handles.get(id) ?? { kept: this.#open(id), users: 0, idle: undefined };
    this.#handles.set(id, handle);
    clearTimeout(handle.idle);
    handle.users += 1;
    return handle;
  }

  #giveBack(id: string, handle: Handle): void {
    handle.users -= 1;
    if (handle.users > 0) return;
    if (this.#handles.get(id) !== handle) {
      handle.kept.close();
      return;
    }
    handle.idle = setTimeout(() => {
      this.#drop(id, handle);
      handle.kept.close();
    }, idleMs);
    handle.idle.unref();
  }

  #drop(id: string, handle: Handle): void {
    clearTimeout(handle.idle);
    if (this.#handles.get(id) === handle) this.#handles.delete(id);
  }
}
