// Output that was read and is still to be drawn, in order. Bounded: whoever reads waits while it is full.
import type { TerminalSize } from "../../protocol/terminal-size.ts";
import type { Missing } from "./checkpoint-file.ts";

export type OutputStep =
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "resized"; readonly size: TerminalSize; readonly atUs: number }
  | { readonly kind: "missing"; readonly missing: Missing }
  | { readonly kind: "end" };

// What is looked through at once for lines that only scroll by; a terminal of 80 columns keeps some 100 KB of them.
const mostTogetherBytes = 1_048_576;
const mostQueuedBytes = 2 * mostTogetherBytes;

export class OutputQueue {
  #steps: OutputStep[] = [];
  #bytes = 0;
  #room: PromiseWithResolvers<void> | undefined;

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** Resolves when there is room for more; nothing when there is. */
  push(step: OutputStep): Promise<void> | undefined {
    this.#steps.push(step);
    if (step.kind !== "data") return undefined;
    this.#bytes += step.bytes.length;
    if (this.#bytes <= mostQueuedBytes) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  /** The next step; of data as much as may be looked at together. */
  take(): OutputStep | undefined {
    const [first] = this.#steps;
    if (first?.kind !== "data") {
      this.#steps.shift();
      return first;
    }
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (const step of this.#steps) {
      if (step.kind !== "data" || (bytes > 0 && bytes + step.bytes.length > mostTogetherBytes)) break;
      parts.push(step.bytes);
      bytes += step.bytes.length;
    }
    this.#steps.splice(0, parts.length);
    this.#free(bytes);
    return { kind: "data", bytes: parts.length === 1 ? first.bytes : Buffer.concat(parts) };
  }

  clear(): void {
    this.#steps = [];
    this.#free(this.#bytes);
  }

  #free(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes > mostQueuedBytes) return;
    this.#room?.resolve();
    this.#room = undefined;
  }
}
